package import VaultKit

/// A notification from the agent, in an event frame, which a client may ignore.
public struct AgentEvent: Equatable, Sendable, Codable {
    /// What happened.
    public enum Name: String, Sendable, Codable {
        /// The agent waits for a person, because of this request or of another client's request for the same thing.
        case waiting
        /// A person is asked on another display or terminal for this request.
        case asking
        /// Another program replaced or removed the root item of a vault in the keyring, and the agent restored it.
        case rootPutBack
        /// The vault was unlocked; sent to bus services.
        case opened
        /// The vault was locked; sent to bus services.
        case locked
        /// Another program than the receiving bus service changed items or collections; sent to bus services.
        case items
    }

    /// What happened.
    public var event: Name

    /// The items of an event `items`; nil if they are too many to name, and for other events.
    package var items: ItemNews?
    /// The kind of place where a person is asked; nil for events other than `asking`.
    package var place: QuestionPlace?
    /// The display or device where a person is asked; nil if the place has none.
    package var at: String?

    /// Makes an event without further facts.
    public init(event: Name) { self.event = event }

    /// Makes an event `asking` for a question at a display or device.
    package init(askingAt place: QuestionPlace, _ at: String?) {
        (event, self.place, self.at) = (.asking, place, at)
    }

    /// Makes an event `items`.
    package init(_ items: ItemNews?) { (event, self.items) = (.items, items) }
}

extension AgentEvent {
    /// Encodes this event as frames; if the items do not fit into one frame, the event names none, which means all items.
    ///
    /// - Throws: `tooLong`.
    package func frames(_ request: UInt32) throws(FrameError) -> [Frame] {
        do throws(FrameError) {
            return try Frame.message(.event, request: request, self)
        } catch  where error == .tooLong && items != nil {
            return try Frame.message(.event, request: request, AgentEvent(nil))
        }
    }
}
