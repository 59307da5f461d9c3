package import FileStore
package import RecordStore
package import VaultKit

/// An open vault, with the tasks that remain when the work ends.
package struct OpenedVault: Sendable {
    package let store: OpenedStore
    package let locator: VaultLocator
    /// The items that the keyring keeps for a file with a key slot there.
    package let companion: KeyringCompanion?

    init(_ store: OpenedStore, at locator: VaultLocator, _ companion: KeyringCompanion? = nil) {
        self.store = store
        self.locator = locator
        self.companion = companion
    }

    /// Records the newest commit in the keyring, if the vault has a key slot there, at most once a minute.
    ///
    /// If the keyring cannot be reached, nothing fails.
    ///
    /// - Parameter now: Unix seconds.
    package func remember(now: Int64) {
        companion?.remember(KeyringMemory(locator.place, store.vaultID), name: locator.place.key, now: now)
    }

    /// The vault, with its audit log beside it.
    package var vault: Vault { Vault(store: store.store, auditFolder: locator.place.auditFolder) }

    /// Forgets every key; each later call is refused.
    package func lock() { store.lock() }
}

/// A vault file that was opened, and what opened it: acts on key slots need the vault key once more.
package struct OpenedFile {
    package let store: FileStore
    package let secret: Unlock
    /// The items that the keyring keeps for the file; nil for a file without a key slot there.
    package let companion: KeyringCompanion?
}

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

    /// Whether the vault has a key slot for a recovery code or for shares, which look alike without the key.
    package var hasRecovery: Bool {
        switch self {
        case .file(let overview): overview.slots.contains { $0.kind.isRecovery }
        case .keyring: false
        }
    }
}
