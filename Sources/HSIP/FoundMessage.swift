/// A place in pasted text where a message is, or where one should be.
public struct FoundMessage: Hashable, Sendable {
    /// The bytes of the text that belong to it, with its lock or head.
    public let range: Range<Int>
    /// The message; nil if it is damaged: cut, mistyped, or of another version.
    public let envelope: MessageEnvelope?

    /// Notes a message at its place.
    public init(range: Range<Int>, envelope: MessageEnvelope?) {
        self.range = range
        self.envelope = envelope
    }
}
