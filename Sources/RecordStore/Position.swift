/// A place in the history of a vault: key epoch first, then generation.
public struct Position: Hashable, Comparable, Sendable, Codable {
    /// Rises with every change of the vault key.
    public let epoch: UInt32
    /// Rises with every commit.
    public let generation: UInt64

    /// A position.
    public init(epoch: UInt32, generation: UInt64) {
        self.epoch = epoch
        self.generation = generation
    }

    /// Earlier in the history.
    public static func < (left: Self, right: Self) -> Bool {
        (left.epoch, left.generation) < (right.epoch, right.generation)
    }
}
