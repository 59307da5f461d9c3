internal import LocalState
internal import RecordStore

/// A view of a vault in the Secret Service, under the lock that readers share.
final class KeyringReader: RecordReader {
    private let shelf: Shelf
    private let known: Known
    private let lockFile: VaultLock
    private var held: HeldLock?

    init(_ shelf: Shelf, _ known: Known, _ lockFile: VaultLock, _ held: HeldLock) {
        self.shelf = shelf
        self.known = known
        self.lockFile = lockFile
        self.held = held
    }

    var floor: UInt64 { known.header.floor }
    var generation: UInt64 { known.generation }

    func find(_ id: RecordID) throws(StoreError) -> Record? {
        let item = try unlocking { () throws(StoreError) in
            try shelf.records(id, known.header, withBody: true)
        }?.current
        guard let item else { return nil }
        guard !item.info.isNewer, let body = item.body else { throw .newerRecord }
        return Record(info: item.info, body: body)
    }

    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? {
        try unlocking { () throws(StoreError) in
            try shelf.records(id, known.header, withBody: false)
        }?.current.info
    }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        let shelved = try unlocking { () throws(StoreError) in try shelf.records(kind, known.header) }
        return shelved.holdings.values.map(\.current.info)
            .filter { $0.attributes.contains(attributes) }
            .sorted { $0.id < $1.id }
    }

    /// Asks once more after unlocking.
    ///
    /// Nobody is asked for a password while the lock is held: it is given back for that time, and the view goes
    /// on if the vault is still the same.
    private func unlocking<R>(_ act: () throws(StoreError) -> R) throws(StoreError) -> R {
        do {
            return try act()
        } catch {
            guard error == .keyringLocked else { throw error }
        }
        held = nil
        try shelf.service.unlock([shelf.collection])
        let again = try lockFile.shared()
        guard again.line == known.line else { throw .busy }
        held = again
        return try act()
    }
}
