/// Why a text is no key of one-time passwords; never what it says.
public enum OneTimeError: Error, Equatable, Sendable, Codable {
    /// Neither an `otpauth://` address nor a key in base32.
    case malformed
    /// The address has no key, or one that is not base32.
    case badKey
    /// A hash, a number of digits or a period that no such password has.
    case unsupported
    /// Passwords by counter: each may be used once, so the counter would have to be kept.
    case counted
    /// No locked memory was to be had.
    case outOfMemory
}
