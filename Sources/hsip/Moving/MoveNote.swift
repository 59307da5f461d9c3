internal import Console
internal import RecordStore

/// A move that has begun, as `config.json` remembers it until it has ended: whoever comes after an interruption
/// knows what may lie where.
struct MoveNote: Equatable {
    /// Where the vault is going.
    let target: Location
    /// The place in its history that the copy will have.
    let position: Position
    /// Unix seconds.
    let started: Int64

    init(to target: Location, at position: Position, started: Int64) {
        self.target = target
        self.position = position
        self.started = started
    }

    init?(_ tree: JSONTree) {
        guard let target = Location(tree), let epoch = tree["epoch"].number.flatMap({ UInt32(exactly: $0) }),
            let generation = tree["generation"].number.flatMap({ UInt64(exactly: $0) }),
            let started = tree["started"].text.flatMap({ Times.parse($0) })
        else { return nil }
        self.init(
            to: target,
            at: Position(epoch: epoch, generation: generation),
            started: started
        )
    }

    var tree: JSONTree {
        var tree = target.tree
        tree["epoch"] = .integer(Int64(position.epoch))
        tree["generation"] = .integer(Int64(clamping: position.generation))
        tree["started"] = .text(Times.rfc3339(started))
        return tree
    }

    var json: JSONValue { ["to": target.json, "startedAt": .text(Times.rfc3339(started))] }
}
