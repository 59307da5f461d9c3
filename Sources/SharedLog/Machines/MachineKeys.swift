package import VaultCrypto

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
