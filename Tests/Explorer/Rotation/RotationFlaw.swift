/// A promise of rotation that a state breaks.
package enum RotationFlaw: String, Hashable, Sendable {
    /// Both are in the same epoch with different keys.
    case splitBrain = "same epoch, different keys"
    /// The epochs differ by more than one.
    case farApart = "epochs differ by more than one"
    /// The side ahead uses keys that the other has not prepared.
    case notPrepared = "the side ahead uses a key that the other has not prepared"
    /// A later epoch has a lower suite.
    case lowered = "suite 01 after suite 02"
    /// More messages under a key than its limit.
    case overLimit = "more seals than the limit"
    /// An ordinary message that the peer can read neither now nor after the ACCEPT it waits for.
    case unreadable = "an ordinary message that the peer cannot read"
}
