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

/// What a machine may do with the log.
package enum MachineRole: UInt8, Hashable, Sendable, CaseIterable {
    /// It left; the next keeper removes it.
    case left = 0
    /// Everything.
    case keeper = 1
    /// Changes of objects, and of itself.
    case writer = 2
    /// Nothing but reading.
    case reader = 3

    /// Whether it may write entries.
    package var writes: Bool { self == .keeper || self == .writer }

    /// Whether a certificate may name it.
    var isGiven: Bool { self != .left }
}

/// The name of a machine: 1 to 40 bytes of UTF-8 in normal form C, by the rules for names that people send
/// (Schemas/hsip-xc1.md section 3).
package enum MachineName {
    private static let refused: [ClosedRange<UInt32>] = [
        0x0000...0x001F, 0x007F...0x009F, 0x061C...0x061C, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E,
        0x2060...0x2069, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F,
    ]

    /// Whether a new machine may get this name: two names never differ only in blanks at an end.
    package static func isUsable(_ name: String) -> Bool {
        isValid(name) && name.first?.isWhitespace == false && name.last?.isWhitespace == false
    }

    /// Whether a machine may have this name.
    package static func isValid(_ name: String) -> Bool {
        guard (1...LogLimits.machineName).contains(name.utf8.count) else { return false }
        return name.isNFC
            && name.unicodeScalars.allSatisfy { scalar in !refused.contains { $0.contains(scalar.value) } }
    }
}

extension String {
    /// Whether it is in Unicode's normal form C, in which equal names have equal bytes.
    var isNFC: Bool {
        var span = utf8Span
        return span.checkForNFC(quickCheck: false)
    }
}
