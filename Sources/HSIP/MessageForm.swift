/// The three ways in which a message is written as text.
public enum MessageForm: Hashable, Sendable {
    /// `🔒` and base64: the usual one.
    case compact
    /// A line that says what it is, two lines with links if there is an id, then base64.
    case verbose(id: String?)
    /// Base64 alone.
    case stealth

    /// The longest id: with a longer one old programs take the line of the link for the message.
    public static let longestID = 36
}
