/// Mistakes that an explorer must find, put around the machine from outside.
package enum RotationMistake: String, CaseIterable, Sendable {
    /// The responder uses the new epoch as soon as it has made the ACCEPT.
    case eagerSwitch = "eager-switch"
    /// Accepting leaves my own attempt alive.
    case keepsOwnAttempt = "keeps-own-attempt"
    /// Any ROTATE is taken, also one that ranks below mine.
    case noRank = "no-rank"
    /// A ROTATE under the prepared epoch is refused instead of taken as proof that the peer finished.
    case noPromotionByRotate = "no-promotion-by-rotate"
    /// The grace time of an initiator runs from its switch, whatever the peer was seen to use.
    case plainTimer = "plain-timer"
    /// An epoch that is promoted counts its messages from zero again.
    case forgetsCount = "forgets-count"
    /// A ROTATE may have a lower suite than the epoch that it continues.
    case noFloor = "no-floor"
    /// Nobody can say that the other program is old.
    case noMark = "no-mark"
    /// Saying it leaves an open ROTATE that the old program cannot read.
    case markKeepsRotate = "mark-keeps-rotate"

    /// The smallest bounds within which it shows: epochs, attempts, limit.
    package var smallestBounds: (epochs: Int, attempts: Int, limit: Int) {
        switch self {
        case .eagerSwitch, .plainTimer, .forgetsCount, .noFloor, .noMark, .markKeepsRotate: (1, 1, 1)
        case .keepsOwnAttempt, .noRank: (1, 2, 1)
        case .noPromotionByRotate: (2, 1, 1)
        }
    }

    /// The programs with which it shows.
    package var programs: Programs {
        switch self {
        case .noFloor: .mistaken
        case .noMark, .markKeepsRotate: .oldPeer
        default: .new
        }
    }
}
