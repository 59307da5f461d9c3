/// Decodes the bytes of a keyboard into keys: bracketed paste, control keys, and ignored sequences.
///
/// It stores at most the beginning of the end-of-paste mark, never text.
struct KeyDecoder {
    private enum State: Equatable {
        case typing
        case escape
        /// After `ESC [`: the parameters so far, of which only 200 has a meaning here.
        case sequence(Int)
        /// After `ESC O`: one more byte.
        case function
        /// In a paste: the number of bytes of the end mark so far.
        case pasting(Int)
    }

    /// The mark after a paste: `ESC [ 201 ~`.
    private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
    private var state = State.typing
    private var lastWasReturn = false

    /// Decodes a byte; `emit` receives zero, one or more keys.
    mutating func feed<E: Error>(_ byte: UInt8, _ emit: (Key) throws(E) -> Void) throws(E) {
        switch state {
        case .typing: try typed(byte, emit)
        case .escape: escape(byte)
        case .sequence(let value): sequence(byte, value)
        case .function: state = .typing
        case .pasting(let matched): try pasted(byte, matched, emit)
        }
    }

    private mutating func typed<E: Error>(_ byte: UInt8, _ emit: (Key) throws(E) -> Void) throws(E) {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: try emit(.enter)
        case 0x08, 0x7F: try emit(.backspace)
        case 0x15: try emit(.clear)
        case 0x03, 0x1C: try emit(.interrupt)
        case 0x04: try emit(.end)
        case 0x00...0x1F: try emit(.nothing)
        default: try emit(.byte(byte))
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x5B: state = .sequence(0)
        case 0x4F: state = .function
        case 0x1B: state = .escape
        default: state = .typing
        }
    }

    private mutating func sequence(_ byte: UInt8, _ value: Int) {
        switch byte {
        case 0x30...0x39: state = .sequence(min(value * 10 + Int(byte - 0x30), 9_999))
        case 0x20...0x3F: state = .sequence(0)
        case 0x7E where value == 200:
            lastWasReturn = false
            state = .pasting(0)
        case 0x40...0x7E: state = .typing
        // A control character inside a sequence ends it.
        default: state = .typing
        }
    }

    private mutating func pasted<E: Error>(
        _ byte: UInt8,
        _ matched: Int,
        _ emit: (Key) throws(E) -> Void
    ) throws(E) {
        if byte == Self.pasteEnd[matched] {
            state = matched + 1 == Self.pasteEnd.count ? .typing : .pasting(matched + 1)
            return
        }
        // The apparent beginning of the mark was text.
        for held in Self.pasteEnd.prefix(matched) { try emit(.byte(held)) }
        state = .pasting(byte == 0x1B ? 1 : 0)
        guard byte != 0x1B else { return }
        switch byte {
        case 0x0A where lastWasReturn: break
        case 0x0D, 0x0A: try emit(.pastedLine)
        default: try emit(.byte(byte))
        }
        lastWasReturn = byte == 0x0D
    }
}

/// The meaning of bytes from the keyboard, after escape sequences are decoded.
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
    /// Arrow keys, other sequences, and controls that have no meaning here.
    case nothing
}
