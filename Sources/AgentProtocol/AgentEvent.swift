internal import Text
package import VaultKit

/// What the agent tells beside an answer; the JSON of an event frame, `{"event":"waiting"}`.
///
/// A client may ignore it.
public struct AgentEvent: Equatable, Sendable {
    /// What happened.
    public enum Name: String, Sendable {
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
    /// The JSON of an event frame.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(FrameError) -> [UInt8] {
        var json: JSONValue = ["event": .text(event.rawValue)]
        if let place { json["place"] = .text(place.rawValue) }
        if let at { json["at"] = .text(at) }
        guard event == .items else { return try WireText.bytes(of: json) }
        if let items {
            for (name, places) in [
                ("created", items.made), ("changed", items.changed), ("deleted", items.removed),
            ]
            where !places.isEmpty { json[name] = .list(places.map { .text($0.text) }) }
            if let text = try? WireText.bytes(of: json) { return text }
        }
        return try WireText.bytes(of: ["event": .text(event.rawValue), "all": .bool(true)])
    }

    /// The event of a frame; fields that are not known are passed over.
    ///
    /// - Throws: `malformed` for anything that is no event.
    public init(encoded text: [UInt8]) throws(FrameError) {
        let json = try WireText.document(text)
        guard let event = try json.word("event").flatMap({ Name(rawValue: $0) }) else { throw .malformed }
        self.init(event: event)
        if event == .asking {
            place = try json.word("place").flatMap { QuestionPlace(rawValue: $0) }
            at = try json.word("at")
        }
        guard event == .items, try json.truth("all") != true else { return }
        items = ItemNews(
            made: try Self.places(json, "created"),
            changed: try Self.places(json, "changed"),
            removed: try Self.places(json, "deleted")
        )
    }

    private static func places(_ json: JSONValue, _ name: String) throws(FrameError) -> [ItemPlace] {
        var places: [ItemPlace] = []
        for word in try json.words(name) {
            guard let place = ItemPlace(word) else { throw .malformed }
            places.append(place)
        }
        return places
    }
}
