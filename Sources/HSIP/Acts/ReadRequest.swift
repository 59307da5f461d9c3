/// How a message is to be opened.
public struct ReadRequest: Sendable {
    /// Whose key opens it, when the header does not say (keys of older programs).
    public var from: PeerID?
    /// Open it although it was read before.
    public var isReread: Bool
    /// What the message has to be for.
    public var purpose: MessagePurpose

    /// The standard request.
    public init(from: PeerID? = nil, isReread: Bool = false, purpose: MessagePurpose = .text) {
        self.from = from
        self.isReread = isReread
        self.purpose = purpose
    }
}
