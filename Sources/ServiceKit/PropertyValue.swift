internal import MessageBus
internal import ServiceFormats
internal import VaultKit

/// The value of a property.
enum PropertyValue {
    case text(String)
    case bool(Bool)
    case seconds(UInt64)
    case paths([String])
    case pairs([String: String])

    /// The type of an item whose attributes name no schema.
    private static let generic = "org.freedesktop.Secret.Generic"

    func write(to message: BusMessage) {
        switch self {
        case .text(let text): message.variant("s") { message.put(text) }
        case .bool(let bool): message.variant("b") { message.put(bool) }
        case .seconds(let seconds): message.variant("t") { message.put(seconds) }
        case .paths(let paths): message.variant("ao") { message.put(paths: paths) }
        case .pairs(let pairs): message.variant("a{ss}") { message.put(pairs: pairs) }
        }
    }

    /// What every item of a locked vault shows.
    static let ofLockedItem: [String: PropertyValue] = [
        "Locked": .bool(true), "Attributes": .pairs([:]), "Label": .text(""), "Type": .text(generic),
        "Created": .seconds(0), "Modified": .seconds(0),
    ]

    /// The properties of an item.
    static func all(of view: ItemView, isClosed: Bool) -> [String: PropertyValue] {
        var pairs: [String: String] = [:]
        for pair in view.attributes.pairs {
            pairs[String(decoding: pair.name, as: UTF8.self)] = String(decoding: pair.value, as: UTF8.self)
        }
        return [
            "Locked": .bool(!view.isOpen || isClosed), "Attributes": .pairs(pairs),
            "Label": .text(view.label),
            "Type": .text(pairs["xdg:schema"] ?? generic), "Created": .seconds(view.created),
            "Modified": .seconds(view.modified),
        ]
    }
}
