/// A place in pasted text where a message is, or where one should be.
public struct FoundMessage: Hashable, Sendable {
    /// The bytes of the text that belong to it, with its lock or head.
    public let range: Range<Int>
    /// The message; nil if it is damaged, or was written by a newer program.
    public let envelope: MessageEnvelope?
    /// Whether a newer program wrote it.
    public let isNewer: Bool

    /// Notes a message at its place.
    public init(range: Range<Int>, envelope: MessageEnvelope?, isNewer: Bool = false) {
        self.range = range
        self.envelope = envelope
        self.isNewer = isNewer
    }

    /// Why there is no message to open.
    public var refusal: HSIPError { isNewer ? .unsupportedVersion : .malformedMessage }
}
