/// A part of an entry that is not taken, or is kept as text only.
public enum OmittedPart: String, Sendable, Equatable, CaseIterable {
    /// Files attached to it.
    case attachments
    /// Values that it had before.
    case history
    /// A passkey, which is bound to the program that made it.
    case passkey
    /// Values of a row behind the last column of its header; kept as text.
    case columns
    /// A value that stands for one of another entry, which is not in the export; kept as text.
    case reference
    /// A key of one-time passwords in a form that is not known here; kept as text.
    case oneTimeKey
    /// An SSH key that cannot be read; kept as text.
    case sshKey
}
