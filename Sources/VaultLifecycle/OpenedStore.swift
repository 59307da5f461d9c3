package import FileStore
package import RecordStore
package import SecretServiceStore

/// An open vault, whichever way it is kept.
package enum OpenedStore: Sendable {
    case file(FileStore)
    case keyring(SecretServiceStore)

    /// The store that the vault uses.
    package var store: any Store {
        switch self {
        case .file(let store): store
        case .keyring(let store): store
        }
    }

    package var vaultID: [UInt8] { store.vaultID }

    package var backend: Backend {
        switch self {
        case .file: .file
        case .keyring: .secretService
        }
    }

    /// The events since the store was opened.
    package var noted: [StoreEvent] {
        switch self {
        case .file(let store): store.noted
        case .keyring(let store): store.noted
        }
    }

    /// The key slots; empty if the vault is in the keyring.
    package func slots() throws(StoreError) -> [SlotInfo] {
        switch self {
        case .file(let store): try store.slots()
        case .keyring: []
        }
    }

    /// The vault's position in its history.
    package func position() throws(StoreError) -> Position {
        switch self {
        case .file(let store): try store.status().position
        case .keyring(let store): try store.status().position
        }
    }

    /// Forgets everything that the store keeps in memory; every later call is refused.
    package func lock() {
        switch self {
        case .file(let store): store.lock()
        case .keyring(let store): store.lock()
        }
    }
}

extension OpenedStore {
    /// Calls `body` with the newest state while no process can write.
    package func hold<R>(
        _ body: (any RecordReader, Position) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        switch self {
        case .file(let store): try store.hold(body)
        case .keyring(let store): try store.hold(body)
        }
    }

    /// Makes this copy count as the vault, if nothing was committed to its source since `last`.
    package func claim(over last: Position) throws(StoreError) {
        switch self {
        case .file(let store): try store.claim(over: last)
        case .keyring(let store): try store.claim(over: last)
        }
    }
}
