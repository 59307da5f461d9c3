public import VaultCrypto

/// A secret that opens a vault.
public enum Unlock: Sendable {
    /// UTF-8 in normalisation form C, 1–1,024 bytes, not trimmed; the user interface has normalised it.
    case passphrase(Secret)
    /// The 16 bytes of a recovery code (`RecoveryText` reads the text).
    case recovery(Secret)
    /// The 32 bytes of an item of the Secret Service.
    case secretService(Secret)
    /// The 32 bytes of a key file (`KeyFile` reads the text).
    case keyFile(Secret)
    /// S of a security key, 32 bytes (`HardwareSecret`).
    case securityKey(Secret)
    /// S of a TPM, 32 bytes (`HardwareSecret`).
    case tpm(Secret)

    /// The kind of slot to make for this secret.
    public var kind: SlotKind {
        switch self {
        case .passphrase: .passphrase
        case .recovery: .recovery
        case .secretService: .secretService
        case .keyFile: .keyFile
        case .securityKey: .securityKey
        case .tpm: .tpm
        }
    }

    /// The kinds of slot that this secret opens, in the order in which they are tried.
    public var kinds: [SlotKind] {
        switch self {
        case .passphrase, .secretService, .keyFile, .securityKey, .tpm: [kind]
        case .recovery: [.plainRecovery, .recovery]
        }
    }

    /// The secret itself.
    var secret: Secret {
        switch self {
        case .passphrase(let secret), .recovery(let secret), .secretService(let secret), .keyFile(let secret),
            .securityKey(let secret), .tpm(let secret):
            secret
        }
    }

    /// Longest passphrase, in bytes.
    public static let longestPassphrase = 1_024
    /// Bytes of the secret in an item of the Secret Service.
    public static let secretServiceSize = 32

    /// Refuses a secret whose size no slot has.
    func check() throws(StoreError) {
        switch self {
        case .passphrase(let secret):
            guard (1...Self.longestPassphrase).contains(secret.count) else { throw .invalidRecord(.slot) }
        case .recovery(let secret):
            guard secret.count == RecoveryText.secretSize else { throw .invalidRecord(.slot) }
        case .secretService(let secret):
            guard secret.count == Self.secretServiceSize else { throw .invalidRecord(.slot) }
        case .keyFile(let secret):
            guard secret.count == KeyFile.secretSize else { throw .invalidRecord(.slot) }
        case .securityKey(let secret), .tpm(let secret):
            guard secret.count == HardwareSecret.size else { throw .invalidRecord(.slot) }
        }
    }
}
