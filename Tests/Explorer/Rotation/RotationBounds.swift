/// How far a walk goes.
package struct RotationBounds: Hashable, Sendable {
    /// The highest epoch.
    package let epochs: Int
    /// The highest attempt towards each epoch.
    package let attempts: Int
    /// Messages each direction may seal under a key.
    package let limit: Int

    /// Bounds of a walk: at most 4 epochs and 7 attempts.
    ///
    /// - Throws: `outOfBounds`.
    package init(epochs: Int, attempts: Int, limit: Int) throws(ExplorerError) {
        guard (0...KeyName.maximumEpochs).contains(epochs),
            (1...RotateName.highestAttempt).contains(attempts),
            (1...1000).contains(limit)
        else { throw .outOfBounds }
        self.epochs = epochs
        self.attempts = attempts
        self.limit = limit
    }
}
