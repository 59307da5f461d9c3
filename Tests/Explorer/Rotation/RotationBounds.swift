/// How far a walk goes.
public struct RotationBounds: Hashable, Sendable {
    /// The highest epoch.
    public let epochs: Int
    /// The highest attempt towards each epoch.
    public let attempts: Int
    /// Messages each direction may seal under a key.
    public let limit: Int

    /// Bounds of a walk: at most 4 epochs and 7 attempts.
    ///
    /// - Throws: `outOfBounds`.
    public init(epochs: Int, attempts: Int, limit: Int) throws(ExplorerError) {
        guard (0...KeyName.mostEpochs).contains(epochs), (1...RotateName.highestAttempt).contains(attempts),
            (1...1000).contains(limit)
        else { throw .outOfBounds }
        self.epochs = epochs
        self.attempts = attempts
        self.limit = limit
    }
}
