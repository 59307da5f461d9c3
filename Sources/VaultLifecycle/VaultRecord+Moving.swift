package import RecordStore
package import Text

extension VaultRecord {
    /// The move that has begun and not ended; nil if there is none.
    package var move: MoveNote? {
        get { tree["migration"].flatMap { MoveNote($0) } }
        set { tree["migration"] = newValue?.tree }
    }

    /// Old copies that are kept for a while.
    package var kept: [KeptCopy] {
        get { tree["kept"]?.items.compactMap { KeptCopy($0) } ?? [] }
        set { tree["kept"] = newValue.isEmpty ? nil : .list(newValue.map(\.tree)) }
    }

    /// The location of the vault; nil if a newer program chose a way of storing that is not known here.
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
        // A keyring holds only one copy of a vault, which is now the vault itself.
        let rest = kept.filter { $0.location != target && $0.location != location }
            .filter { target.backend == .file || $0.location.backend == .file }
        record.kept = rest + old
        return record
    }
}

/// A move that has begun, as `config.json` records it until it has ended.
///
/// After an interruption, it tells the next program which files or items may be left.
package struct MoveNote: Equatable, Sendable {
    /// Where the vault is going.
    package let target: Location
    /// The place in its history that the copy will have.
    package let position: Position
    /// Unix seconds.
    package let started: Int64

    package init(to target: Location, at position: Position, started: Int64) {
        self.target = target
        self.position = position
        self.started = started
    }

    package init?(_ tree: JSONValue) {
        guard let target = Location(tree),
            let epoch = tree["epoch"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let generation = tree["generation"]?.integer.flatMap({ UInt64(exactly: $0) }),
            let started = tree["started"]?.text.flatMap({ Times.parse($0) })
        else { return nil }
        self.init(
            to: target,
            at: Position(epoch: epoch, generation: generation),
            started: started
        )
    }

    package var tree: JSONValue {
        var tree = target.tree
        tree["epoch"] = .integer(Int64(position.epoch))
        tree["generation"] = .integer(Int64(clamping: position.generation))
        tree["started"] = .text(Times.rfc3339(started))
        return tree
    }
}

/// An old copy of a vault that was moved: the program does not use it, but it helps if something turns out wrong.
package struct KeptCopy: Equatable, Sendable {
    /// How long it is kept.
    package static let span: Int64 = 30 * 24 * 3_600

    package var location: Location
    /// Unix seconds; from then on `doctor --fix` offers to remove it.
    package let until: Int64

    package init(_ location: Location, until: Int64) {
        self.location = location
        self.until = until
    }

    package init?(_ tree: JSONValue) {
        guard let location = Location(tree), let until = tree["until"]?.text.flatMap({ Times.parse($0) })
        else { return nil }
        self.init(location, until: until)
    }

    package var tree: JSONValue {
        var tree = location.tree
        tree["until"] = .text(Times.rfc3339(until))
        return tree
    }
}

/// Why a vault is not moved, or why the leftovers of a move are not removed.
package enum MigrationError: Error, Equatable, Sendable {
    /// Something else is at the path of the new file.
    case taken(path: String)
    /// Another process moved the vault meanwhile.
    case overtaken
    /// The vault is not at its location: the leftovers of the move may be its only copy.
    case lastCopy
    /// The copy that was read back differs from the vault; the vault is where it was.
    case differs
}
