public import VaultCrypto

/// REVOKE: the end of a session (108 bytes) or of an identity (112 bytes).
///
/// It never expires.
public struct RevokeCode: Hashable, Sendable {
    /// The length of the notice of a session, in bytes.
    public static let sessionByteCount = 108
    /// The length of the notice of an identity, in bytes.
    public static let identityByteCount = 112

    /// The scope of the notice.
    public enum Scope: Hashable, Sendable {
        /// The sessions of a contact: the 8-byte name of an epoch, its number, and the mac (16 bytes) under it.
        case session(ref: [UInt8], epoch: UInt32, mac: [UInt8])
        /// An identity, for good, by its Ed25519 public key (32 bytes).
        case identity(key: [UInt8])
    }

    /// Version, kind, times and terms.
    public let header: CodeHeader
    /// The reason that the owner gives.
    public let reason: RevokeReason
    /// The scope, with the fields of this kind of notice.
    public let scope: Scope
    /// Ed25519 over the label and everything before it, 64 bytes.
    public let signature: [UInt8]
    /// The exact encoding.
    public let bytes: [UInt8]

    /// Reads a REVOKE from its exact bytes.
    ///
    /// - Throws: The errors of `CodeHeader.init(bytes:)`; `malformed` for any other kind or length, an unknown scope or
    ///   reason, or a ttl, life or limit that is not 0.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        header = try reader.header(.revoke)
        let kindOfScope = try reader.u8()
        guard let reason = RevokeReason(rawValue: try reader.u8()) else { throw .malformed }
        self.reason = reason
        switch kindOfScope {
        case 0:
            scope = .session(ref: try reader.take(8), epoch: try reader.u32(), mac: try reader.take(16))
        case 1: scope = .identity(key: try reader.take(32))
        default: throw .malformed
        }
        signature = try reader.take(64)
        try reader.finish()
        self.bytes = bytes
    }

    /// The bytes that the mac of a session notice covers (revoke[..−80]); throws `malformed` for a ref that
    /// is not 8 bytes.
    public static func unsigned(
        header: CodeHeader,
        reason: RevokeReason,
        ref: [UInt8],
        epoch: UInt32
    ) throws(HSIPError) -> [UInt8] {
        guard header.kind == .revoke else { throw .malformed }
        return header.bytes + [0, reason.rawValue] + (try ref.sized(8)) + epoch.bigEndianBytes
    }

    /// The bytes that an identity signs to end itself (revoke[..−64]); throws `malformed` for a key that is
    /// not 32 bytes.
    public static func unsigned(
        header: CodeHeader,
        reason: RevokeReason,
        identityKey: [UInt8]
    ) throws(HSIPError) -> [UInt8] {
        guard header.kind == .revoke else { throw .malformed }
        return header.bytes + [1, reason.rawValue] + (try identityKey.sized(32))
    }

    /// Completes the notice of a session.
    public init(unsigned: [UInt8], mac: [UInt8], signature: [UInt8]) throws(HSIPError) {
        try self.init(bytes: unsigned + (try mac.sized(16)) + signature)
        guard case .session = scope else { throw .malformed }
    }

    /// Completes the notice of an identity.
    public init(unsigned: [UInt8], signature: [UInt8]) throws(HSIPError) {
        try self.init(bytes: unsigned + signature)
        guard case .identity = scope else { throw .malformed }
    }

    /// The bytes that the mac covers, revoke[..−80]; an identity notice has no mac, and returns
    /// `signedBytes`.
    public var unsignedBytes: [UInt8] {
        switch scope {
        case .session: Array(bytes.dropLast(80))
        case .identity: signedBytes
        }
    }

    /// The bytes that the signature covers after its label, in both scopes: revoke[..−64].
    public var signedBytes: [UInt8] { Array(bytes.dropLast(64)) }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { Bech32m.codeText(bytes, kind: .revoke) }
}

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

    /// Checks that a notice is not from the future, which is its only check of time.
    public func checkTime(at moment: Moment) throws(HSIPError) {
        guard header.issued <= moment.wallClock + Moment.tolerance else {
            throw .codeFromFuture(seconds: Int64(header.issued - moment.wallClock))
        }
    }
}

/// The reason that the owner gives for ending a session or an identity.
public enum RevokeReason: UInt8, CaseIterable, Hashable, Sendable, Codable {
    case none = 0
    case lostDevice = 1
    case compromised = 2
    case ended = 3
}
