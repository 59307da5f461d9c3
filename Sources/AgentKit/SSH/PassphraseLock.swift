internal import VaultCrypto

/// What `ssh-add -x` leaves behind: enough to know the passphrase again, not the passphrase.
struct PassphraseLock: Sendable {
    private let salt: [UInt8]
    private let hash: Secret

    /// - Throws: `CryptoError.outOfMemory`.
    init(_ passphrase: Secret) throws(CryptoError) {
        salt = Entropy.system.bytes(PasswordHash.saltSize)
        hash = try Self.hash(passphrase, salt)
    }

    /// Whether it is the same passphrase.
    func opens(with passphrase: Secret) -> Bool {
        guard let other = try? Self.hash(passphrase, salt) else { return false }
        return ConstantTime.equal(hash, other)
    }

    private static func hash(_ passphrase: Secret, _ salt: [UInt8]) throws(CryptoError) -> Secret {
        Secret(
            try PasswordHash.derive(passphrase, salt: salt, parameters: PasswordHash.floor, count: 32)
        )
    }
}
