package import VaultCrypto

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

/// The secret keys of one machine, for this protocol only.
package struct MachineKeys: Sendable {
    /// The Ed25519 seed, 32 bytes.
    package let seed: Secret
    /// The X25519 secret that opens the boxes of a rekey, 32 bytes.
    package let boxSecret: Secret
    /// The public half of the seed.
    package let signKey: [UInt8]
    /// The public half of the box secret.
    package let boxKey: [UInt8]

    /// Keys that are there already.
    ///
    /// - Throws: `malformed` for a secret of another size; `outOfMemory`.
    package init(seed: Secret, boxSecret: Secret) throws(LogError) {
        guard seed.count == 32, boxSecret.count == 32 else { throw LogError(.malformed) }
        self.seed = seed
        self.boxSecret = boxSecret
        signKey = try primitives { () throws(CryptoError) in try Signing.publicKey(seed: seed) }
        boxKey = try primitives { () throws(CryptoError) in try KeyAgreement.publicKey(of: boxSecret) }
    }

    /// New keys.
    package init(entropy: Entropy) throws(LogError) {
        let seed = try primitives { () throws(CryptoError) in Secret(try entropy.secret(32)) }
        let box = try primitives { () throws(CryptoError) in Secret(try entropy.secret(32)) }
        try self.init(seed: seed, boxSecret: box)
    }

    /// The keys of a paper machine, from the 16 bytes of its recovery code.
    ///
    /// - Throws: `malformed` for another number of bytes; `outOfMemory`.
    package init(paper code: borrowing some ByteSource & ~Copyable) throws(LogError) {
        guard code.count == RecoveryText.secretSize else { throw LogError(.malformed) }
        let seed: Secret
        let box: Secret
        do throws(CryptoError) {
            let prk = try HKDF.extract(salt: LogLabel.paper.bytes, keyMaterial: code)
            seed = Secret(try HKDF.expand(prk, info: LogLabel.paperSign.bytes, count: 32))
            box = Secret(try HKDF.expand(prk, info: LogLabel.paperBox.bytes, count: 32))
        } catch {
            throw LogError(error)
        }
        try self.init(seed: seed, boxSecret: box)
    }

    /// What the machine is named by.
    package var id: MachineID { Self.id(signKey: signKey) }

    /// What the machine with this signing key is named by.
    package static func id(signKey: [UInt8]) -> MachineID {
        MachineID(digest: Hash.sha256(LogLabel.machine.bytes + signKey))
    }
}
