/// Mistakes that an explorer must find, put around the machine from outside.
public enum RotationMistake: String, CaseIterable, Sendable {
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
}
