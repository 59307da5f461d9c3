/// What ends a connection of the control socket; it costs that connection and nothing else.
public enum FrameError: Error, Equatable, Sendable {
    /// A length that leaves no room for a header.
    case tooShort
    /// A body above the limit of its kind.
    case tooLong
    /// A kind that this version does not know.
    case unknownKind(UInt8)
    /// A body that is not the JSON it should be.
    case malformed
    /// A frame that may not come here: a second hello, a number used twice, too many of them.
    case unexpected
    /// More raw frames, or more bytes in them, than a request may have.
    case tooMuch
    /// The frame did not come, or was not taken, in time.
    case timeout
    /// The other side has closed the connection.
    case closed
    /// No locked memory for a secret.
    case outOfMemory
    /// Another process than the one that the connection belongs to wrote on it.
    case stranger
    /// The system refused, by its number (errno).
    case io(code: Int32)
}
