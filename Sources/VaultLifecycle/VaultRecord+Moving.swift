internal import JSON

extension VaultRecord {
    /// The move that has begun and not ended; nil in quiet times.
    package var move: MoveNote? {
        get { tree["migration"].flatMap { MoveNote($0) } }
        set { tree["migration"] = newValue?.tree }
    }

    /// Old copies that are kept for a while.
    package var kept: [KeptCopy] {
        get { tree["kept"]?.items.compactMap { KeptCopy($0) } ?? [] }
        set { tree["kept"] = newValue.isEmpty ? nil : .list(newValue.map(\.tree)) }
    }

    /// Where the vault lies; nil for a way of keeping that a newer program chose.
    package var location: Location? { Location(storage) }

    /// The record after a move: the old place is kept for a while.
    package func moved(to target: Location, now: Int64) -> VaultRecord {
        var record =
            switch target {
            case .file(let path): VaultRecord(id: id, path: path, reason: .migrated)
            case .keyring(let path, let label):
                VaultRecord(id: id, collection: path, label: label, reason: .migrated)
            }
        record = record.replacing(self)
        record.lacksIdentity = lacksIdentity
        record.move = nil
        let old = location.map { [KeptCopy($0, until: now + KeptCopy.span)] } ?? []
        // A keyring holds one copy of a vault, and this one is it now.
        let rest = kept.filter { $0.location != target && $0.location != location }
            .filter { target.backend == .file || $0.location.backend == .file }
        record.kept = rest + old
        return record
    }
}
