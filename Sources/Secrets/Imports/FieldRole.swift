/// What a value is to the entry that has it.
public enum FieldRole: Sendable, Hashable {
    case password
    case user
    case url
    /// An `otpauth:` address, or the bare secret of one in base32.
    case oneTimePassword
    case note
    /// Anything else, under a name of its own.
    case named(String)
}
