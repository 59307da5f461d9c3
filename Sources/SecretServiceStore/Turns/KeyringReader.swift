internal import LocalState
internal import RecordStore
internal import VaultCrypto

/// A view of a vault in the Secret Service, under the lock that readers share.
final class KeyringReader: RecordReader {
    private let shelf: Shelf
    private let view: KeyringView
    private let lockFile: VaultLock
    private var held: HeldLock

    init(_ shelf: Shelf, _ view: KeyringView, _ lockFile: VaultLock, _ held: HeldLock) {
        self.shelf = shelf
        self.view = view
        self.lockFile = lockFile
        self.held = held
    }

    var floor: UInt64 { view.known.header.floor }
    var generation: UInt64 { view.known.generation }

    func find(_ id: RecordID) throws(StoreError) -> Record? {
        let item = try item(id, withBody: true)
        switch view.pending(id, over: item?.info) {
        case .put(let info, let body)?: return Record(info: info, body: body)
        case .delete?: return nil
        case nil: break
        }
        guard let item else { return nil }
        guard !item.info.isNewer, let body = item.body else { throw .newerRecord }
        return Record(info: item.info, body: body)
    }

    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? {
        let info = try item(id, withBody: false)?.info
        switch view.pending(id, over: info) {
        case .put(let info, _)?: return info
        case .delete?: return nil
        case nil: return info
        }
    }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        let shelved = try shelved(kind)
        try shelved.check(kind)
        return infos(shelved, kind, attributes)
    }

    func survey(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> RecordSurvey {
        let shelved = try shelved(kind)
        return RecordSurvey(
            records: infos(shelved, kind, attributes),
            damaged: shelved.damaged.map(\.record).filter { $0.mayBe(kind) }
        )
    }

    private func shelved(_ kind: RecordKind?) throws(StoreError) -> Shelved {
        try unlocking { () throws(StoreError) in
            let shelved = try shelf.records(kind, view.known.header)
            if shelved.holdings.isEmpty { try shelf.stillHolds(view.known) }
            return shelved
        }
    }

    private func infos(_ shelved: Shelved, _ kind: RecordKind?, _ attributes: Attributes) -> [RecordInfo] {
        view.finished(shelved.holdings.mapValues(\.current.info)).values
            .filter { (kind == nil || $0.id.kind == kind) && $0.attributes.contains(attributes) }
            .sorted { $0.id < $1.id }
    }

    private func item(_ id: RecordID, withBody: Bool) throws(StoreError) -> RecordItem? {
        try unlocking { () throws(StoreError) in
            let holding = try shelf.records(id, view.known.header, withBody: withBody)
            if holding == nil { try shelf.stillHolds(view.known) }
            return holding?.current
        }
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
        let line = held.line
        held.giveBack()
        try shelf.service.unlock([shelf.collection])
        let again = try lockFile.shared()
        guard again.line == line else { throw .busy }
        held = again
        return try act()
    }
}
