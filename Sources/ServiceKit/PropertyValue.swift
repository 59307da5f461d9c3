internal import Secrets
internal import MessageBus
internal import VaultKit

/// The value of a property.
enum PropertyValue: Hashable {
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
        all(view.label, view.attributes, !view.isOpen || isClosed, view.created, view.modified)
    }

    /// The same of one in the collection of the session, for the process that made it.
    static func all(of item: SessionCollection.Item) -> [String: PropertyValue] {
        all(item.label, item.attributes, false, item.created, item.modified)
    }

    private static func all(
        _ label: String,
        _ attributes: ItemAttributes,
        _ isLocked: Bool,
        _ created: UInt64,
        _ modified: UInt64
    ) -> [String: PropertyValue] {
        var pairs: [String: String] = [:]
        for pair in attributes.pairs {
            pairs[String(decoding: pair.name, as: UTF8.self)] = String(decoding: pair.value, as: UTF8.self)
        }
        return [
            "Locked": .bool(isLocked), "Attributes": .pairs(pairs), "Label": .text(label),
            "Type": .text(pairs["xdg:schema"] ?? generic), "Created": .seconds(created),
            "Modified": .seconds(modified),
        ]
    }
}

extension BusMessage {
    /// Adds properties by their names, in the order of those.
    func put(properties: [String: PropertyValue]) {
        container("a", "{sv}") {
            for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
                container("e", "sv") {
                    put(name)
                    value.write(to: self)
                }
            }
        }
    }
}
