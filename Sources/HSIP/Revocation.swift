public import VaultCrypto

extension RevokeCode {
    /// The notice that ends an identity for good; signed by that identity, it never expires.
    public static func ofIdentity(
        _ key: [UInt8],
        seed: borrowing some ByteSource & ~Copyable,
        reason: RevokeReason,
        issued: UInt64
    ) throws(HSIPError) -> RevokeCode {
        let unsigned = try RevokeCode.unsigned(
            header: try .revocation(issued: issued),
            reason: reason,
            identityKey: key
        )
        return try RevokeCode(
            unsigned: unsigned,
            signature: try KeySchedule.signRevoke(unsigned, seed: seed)
        )
    }

    /// The notice that ends a session: MAC under the epoch's rotation key, signature under my identity.
    public static func ofSession(
        name: [UInt8],
        epoch: UInt32,
        rotateKey: Secret,
        role: Role,
        seed: borrowing some ByteSource & ~Copyable,
        reason: RevokeReason,
        issued: UInt64
    ) throws(HSIPError) -> RevokeCode {
        let unsigned = try RevokeCode.unsigned(
            header: try .revocation(issued: issued),
            reason: reason,
            ref: name,
            epoch: epoch
        )
        let mac = KeySchedule.revokeMAC(rotateKey: rotateKey, role: role, unsigned: unsigned)
        let signature = try KeySchedule.signRevoke(unsigned + mac, seed: seed)
        return try RevokeCode(unsigned: unsigned, mac: mac, signature: signature)
    }

    /// The only time check of a notice: it is not from the future.
    public func checkTime(at moment: Moment) throws(HSIPError) {
        guard header.issued <= moment.wallClock + Moment.tolerance else {
            throw .codeFromFuture(seconds: Int64(header.issued - moment.wallClock))
        }
    }
}
