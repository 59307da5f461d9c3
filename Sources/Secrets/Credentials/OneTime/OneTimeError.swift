/// Why a text is no key of one-time passwords; never what it says.
public enum OneTimeError: Error, Equatable, Sendable, Codable {
    /// Neither an `otpauth://` address nor a key in base32.
    case malformed
    /// The address has no key, or one that is not base32.
    case badKey
    /// A hash, a number of digits or a period that no such password has.
    case unsupported
    /// The key has a counter, and a password of a moment was asked for.
    case counted
    /// The key has a counter that has no next number.
    case spent
    /// No locked memory was to be had.
    case outOfMemory
}
