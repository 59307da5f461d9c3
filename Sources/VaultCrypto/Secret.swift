/// A secret that several values hold together: one piece of locked memory, wiped when the last holder goes.
///
/// State that must be copied (a protocol state before and after an act) copies the reference, never the
/// bytes. It shows nothing of itself: description and mirror are redacted.
public final class Secret: ByteSource, Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: SecretBytes

    /// Takes over a secret.
    public init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// Copies bytes into locked memory; wiping the source is the caller's part.
    public convenience init(copying source: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        self.init(try SecretBytes(copying: source))
    }

    /// How many bytes there are.
    public var count: Int { bytes.count }

    /// Lends the bytes for the time of `body`.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try bytes.withBytes(body)
    }

    /// Says that it is a secret, nothing more.
    public var description: String { "<secret>" }

    /// Has no children to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
