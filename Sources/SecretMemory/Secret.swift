/// A secret that several values hold together: one piece of locked memory, wiped when the last holder goes.
///
/// State that must be copied (a protocol state before and after an act) copies the reference, never the
/// bytes. It never shows its content: description and mirror are redacted.
public final class Secret: ByteSource, Sendable, CustomStringConvertible, CustomReflectable {
    private enum Memory: ~Copyable {
        case own(SecretBytes)
        /// A range of another secret, which this one keeps alive.
        case part(of: Secret, Range<Int>)
    }

    private let memory: Memory

    /// Takes over a secret.
    public init(_ bytes: consuming SecretBytes) {
        memory = .own(bytes)
    }

    private init(_ whole: Secret, _ range: Range<Int>) {
        memory = .part(of: whole, range)
    }

    /// Copies bytes into locked memory; wiping the source is the caller's part.
    public convenience init(copying source: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        self.init(try SecretBytes(copying: source))
    }

    /// A range of the bytes as a secret of its own, in the same memory.
    ///
    /// Nothing is copied: ten thousand small secrets that came in one piece need no memory of their own, which
    /// would take pages each. The whole is wiped when neither it nor any part of it is held any more.
    ///
    /// - Throws: `CryptoError.wrongSize` when the range reaches beyond the bytes.
    public func part(_ range: Range<Int>) throws(CryptoError) -> Secret {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw .wrongSize(expected: range.upperBound, found: count)
        }
        switch memory {
        case .own: return Secret(self, range)
        case .part(let whole, let place):
            return Secret(whole, range.lowerBound + place.lowerBound..<range.upperBound + place.lowerBound)
        }
    }

    /// How many bytes there are.
    public var count: Int {
        switch memory {
        case .own(let bytes): bytes.count
        case .part(_, let range): range.count
        }
    }

    /// Passes the bytes to `body`, for the time of the call.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        switch memory {
        case .own(let bytes): try bytes.withBytes(body)
        case .part(let whole, let range):
            try whole.withBytes { span throws(E) in try body(span.extracting(range)) }
        }
    }

    /// Says that it is a secret, nothing more.
    public var description: String { "<secret>" }

    /// Has no children to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A secret crosses a process boundary beside what names it, never inside it.
///
/// Only a coder that knows secrets takes one, and then it does not come here; any other gets an error, so that no
/// secret ends in a text by mistake.
extension Secret: Codable {
    /// Refuses.
    public func encode(to encoder: any Encoder) throws {
        throw CryptoError.malformedText
    }

    /// Refuses.
    public convenience init(from decoder: any Decoder) throws {
        throw CryptoError.malformedText
    }
}
