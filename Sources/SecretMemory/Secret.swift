/// A secret that several values share: one piece of locked memory, wiped when its last reference goes.
///
/// State that must be copied (a protocol state before and after an operation) copies the reference, never the bytes. The
/// content is never shown: description and mirror are redacted.
public final class Secret: ByteSource, Sendable, CustomStringConvertible, CustomReflectable {
    private enum Memory: ~Copyable {
        case own(SecretBytes)
        /// A range of another secret, which this one keeps alive.
        case part(of: Secret, Range<Int>)
    }

    private let memory: Memory

    /// Makes a secret that owns the bytes.
    public init(_ bytes: consuming SecretBytes) {
        memory = .own(bytes)
    }

    private init(_ whole: Secret, _ range: Range<Int>) {
        memory = .part(of: whole, range)
    }

    /// Copies bytes into locked memory; the caller wipes the source.
    public convenience init(copying source: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        self.init(try SecretBytes(copying: source))
    }

    /// Returns a range of the bytes as a secret that shares this memory.
    ///
    /// Nothing is copied: ten thousand small secrets of one piece need no memory of their own. The memory is wiped when the
    /// last reference to the whole or to a part goes.
    ///
    /// - Throws: `CryptoError.wrongSize` if the range exceeds the bytes.
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

    /// The number of bytes.
    public var count: Int {
        switch memory {
        case .own(let bytes): bytes.count
        case .part(_, let range): range.count
        }
    }

    /// Passes the bytes to `body`; they are valid during the call.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        switch memory {
        case .own(let bytes): try bytes.withBytes(body)
        case .part(let whole, let range):
            try whole.withBytes { span throws(E) in try body(span.extracting(range)) }
        }
    }

    /// A fixed text, so that the content is never printed.
    public var description: String { "<secret>" }

    /// A mirror without children, so that the content is never shown.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Encoding that always fails: secrets cross a process boundary beside the encoded value, never inside it.
///
/// A coder that knows secrets handles them itself and does not call these functions. Any other coder gets an error, so
/// that no secret is written into a text by mistake.
extension Secret: Codable {
    /// Throws `malformedText`.
    public func encode(to encoder: any Encoder) throws {
        throw CryptoError.malformedText
    }

    /// Throws `malformedText`.
    public convenience init(from decoder: any Decoder) throws {
        throw CryptoError.malformedText
    }
}
