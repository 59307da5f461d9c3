package import VaultKit

/// What the agent tells beside an answer, in an event frame.
///
/// A client may ignore it.
public struct AgentEvent: Equatable, Sendable, Codable {
    /// What happened.
    public enum Name: String, Sendable, Codable {
        /// Another person is being asked for what this request needs, too.
        case waiting
        /// A person is being asked elsewhere for what this request needs.
        case asking
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

    /// Which items an event `items` is about; nil for more than can be named, and with other events.
    package var items: ItemNews?
    /// Where a person is being asked; nil with other events than `asking`.
    package var place: QuestionPlace?
    /// Which display or device that is; nil where the place has none.
    package var at: String?

    /// An event.
    public init(event: Name) { self.event = event }

    /// A person is being asked at a display or device.
    package init(askingAt place: QuestionPlace, _ at: String?) {
        (event, self.place, self.at) = (.asking, place, at)
    }

    /// News of items.
    package init(_ items: ItemNews?) { (event, self.items) = (.items, items) }
}

extension AgentEvent {
    /// The frames of this event; news of items that have no room in one are news of all items.
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
