internal import HSIP

/// What two programs know of suite 02, and what may happen to them during a walk.
package enum Programs: String, CaseIterable, Sendable {
    /// Both know it, and are paired with it.
    case new
    /// Both know it, and each user may say that the other does not.
    case mistaken
    /// B does not know it; the user of A may say so.
    case oldPeer = "old-peer"
    /// A does not know it; the user of B may say so.
    case oldSelf = "old-self"
    /// Both know it, and the user of A has said that B does not.
    case marked
    /// Neither knows it; each may be updated at any moment.
    case updated

    /// The suite of epoch 0.
    var first: Suite { self == .new || self == .mistaken ? .two : .one }
    var mayMark: Bool { self == .mistaken || self == .oldPeer || self == .oldSelf }
    var mayUpdate: Bool { self == .updated }

    func isNew(_ side: Side) -> Bool {
        switch self {
        case .new, .mistaken, .marked: true
        case .oldPeer: side == .a
        case .oldSelf: side == .b
        case .updated: false
        }
    }
}

/// How far a walk goes.
package struct RotationBounds: Hashable, Sendable {
    /// The highest epoch.
    package let epochs: Int
    /// The highest attempt towards each epoch.
    package let attempts: Int
    /// Messages each direction may seal under a key.
    package let limit: Int
    /// See `Programs`.
    package let programs: Programs

    /// Bounds of a walk: at most 4 epochs and 7 attempts.
    ///
    /// - Throws: `outOfBounds`.
    package init(
        epochs: Int,
        attempts: Int,
        limit: Int,
        programs: Programs = .new
    ) throws(ExplorerError) {
        guard (0...KeyName.maximumEpochs).contains(epochs),
            (1...RotateName.highestAttempt).contains(attempts),
            (1...1000).contains(limit)
        else { throw .outOfBounds }
        self.epochs = epochs
        self.attempts = attempts
        self.limit = limit
        self.programs = programs
    }
}
