internal import VaultCrypto

/// What a keeper signs when it lets a machine in, or gives it another role.
///
/// Ed25519 over L(sig-member) ‖ log id ‖ signing key ‖ role. A machine that was away for long knows by it whether the author of
/// a snapshot is one of those that its own keepers let in.
package enum Certificate {
    /// Bytes in a certificate.
    package static let size = Signing.signatureSize

    /// Signs one.
    ///
    /// - Throws: `outOfMemory`.
    package static func sign(
        _ signKey: [UInt8],
        _ role: MachineRole,
        log: LogID,
        by keeper: MachineKeys
    ) throws(LogError) -> [UInt8] {
        let message = message(signKey, role, log)
        return try primitives { () throws(CryptoError) in try Signing.sign(message, seed: keeper.seed) }
    }

    /// Whether a certificate is that of the keeper with this signing key.
    package static func isValid(
        _ certificate: [UInt8],
        for signKey: [UInt8],
        _ role: MachineRole,
        log: LogID,
        by keeper: [UInt8]
    ) -> Bool {
        Signing.isValid(certificate, message: message(signKey, role, log), publicKey: keeper)
    }

    private static func message(_ signKey: [UInt8], _ role: MachineRole, _ log: LogID) -> [UInt8] {
        LogLabel.sigMember.bytes + log.bytes + signKey + [role.rawValue]
    }
}
