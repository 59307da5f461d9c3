/// A part of an entry that is not taken.
public enum LeftOut: String, Sendable, Equatable {
    /// Files attached to it.
    case attachments
    /// Values that it had before.
    case history
    /// A passkey, which is bound to the program that made it.
    case passkey
}
