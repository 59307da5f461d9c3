package import JSON
package import RecordStore
internal import SafeText

/// A move that has begun, as `config.json` remembers it until it has ended: a program that comes after an interruption
/// knows what may lie where.
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
