internal import FileStore
internal import RecordStore

/// A vault that is what `config.json` says, before it is opened.
enum FoundVault {
    /// A file that is there, and what it says of itself.
    case file(FileGlance)
    /// A vault in the keyring, which nobody has asked for yet.
    case keyring(VaultRecord)

    var vaultID: [UInt8] {
        switch self {
        case .file(let glance): glance.vaultID
        case .keyring(let record): record.id
        }
    }

    var backend: Backend {
        switch self {
        case .file: .file
        case .keyring: .secretService
        }
    }
}
