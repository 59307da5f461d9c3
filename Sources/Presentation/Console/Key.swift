/// What a byte from the keyboard means, once escape sequences are understood.
enum Key: Equatable {
    /// A byte of text.
    case byte(UInt8)
    /// A line feed inside a paste: never Enter.
    case pastedLine
    case enter
    case backspace
    /// Ctrl-U.
    case clear
    /// Ctrl-C, Ctrl-\.
    case interrupt
    /// Ctrl-D.
    case end
    /// Arrow keys and other sequences, and controls without a meaning here.
    case nothing
}
