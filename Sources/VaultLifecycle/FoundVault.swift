package import FileStore
internal import RecordStore

/// A vault that is what `config.json` says, before it is opened.
package enum FoundVault: Sendable {
    /// A file that is there, and what it shows without a key.
    case file(FileOverview)
    /// A vault in the keyring, which was not asked for yet.
    case keyring(VaultRecord)

    package var vaultID: [UInt8] {
        switch self {
        case .file(let overview): overview.vaultID
        case .keyring(let record): record.id
        }
    }

    package var backend: Backend {
        switch self {
        case .file: .file
        case .keyring: .secretService
        }
    }

    /// It has a key slot for a recovery code; without the key it cannot be told from one for shares.
    package var hasRecovery: Bool {
        switch self {
        case .file(let overview): overview.slots.contains { $0.kind.isRecovery }
        case .keyring: false
        }
    }
}
