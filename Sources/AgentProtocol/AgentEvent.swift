internal import JSON

/// What the agent tells beside an answer; the JSON of an event frame, `{"event":"waiting"}`.
///
/// A client may ignore it.
public struct AgentEvent: Equatable, Sendable {
    /// What happened.
    public enum Name: String, Sendable {
        /// Another person is being asked for what this request needs, too.
        case waiting
        /// Another program replaced or removed the first item of a vault in the keyring; it is put back as it was.
        case rootPutBack
        /// The vault was opened; for a front.
        case opened
        /// The vault is locked; for a front.
        case locked
        /// Items or collections were changed by another program than the front; for a front.
        case items
    }

    /// What happened.
    public var event: Name

    /// An event.
    public init(event: Name) { self.event = event }
}

extension AgentEvent {
    /// The JSON of an event frame.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(FrameError) -> [UInt8] {
        try WireText.bytes(of: ["event": .text(event.rawValue)])
    }

    /// The event of a frame; fields that are not known are passed over.
    ///
    /// - Throws: `malformed` for anything that is no event.
    public init(encoded text: [UInt8]) throws(FrameError) {
        guard let event = try WireText.document(text).word("event").flatMap({ Name(rawValue: $0) }) else {
            throw .malformed
        }
        self.init(event: event)
    }
}
