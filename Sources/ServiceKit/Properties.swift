internal import MessageBus
internal import RecordStore
internal import Secrets
internal import VaultKit

/// The properties that a client gives a new object: texts and attributes, of which it may leave out any.
struct Properties {
    /// Properties of one call at most; those that are not known are passed over.
    private static let maximum = 32
    /// Bytes in the longest label of a collection.
    static let longestLabel = 1_024

    private var texts: [String: String] = [:]
    private var pairs: [String: [String: String]] = [:]

    /// Reads `a{sv}`; one that is known by its name has to have its type.
    init(_ call: BusMessage, _ types: [String: String]) throws {
        guard call.enter("a", "{sv}") else { throw CallFailure.invalid }
        var count = 0
        while call.enter("e", "sv") {
            count += 1
            guard count <= Self.maximum, let name = call.text() else { throw CallFailure.invalid }
            if let type = types[name] {
                guard call.enter("v", type) else { throw CallFailure.invalid }
                if type == "s" {
                    texts[name] = call.text()
                } else {
                    guard let all = call.pairs(limit: ItemAttributes.maximumCount) else {
                        throw CallFailure.tooMuch
                    }
                    pairs[name] = all
                }
                call.leave()
            } else {
                call.skip("v")
            }
            call.leave()
        }
        call.leave()
    }

    /// The label; empty where none is given.
    func label(_ interface: String) throws -> String {
        let label = texts[interface + ".Label"] ?? ""
        return try interface == Interface.item ? Self.itemLabel(label) : Self.checked(label)
    }

    static func checked(_ label: String, longest: Int = longestLabel) throws -> String {
        guard label.utf8.count <= longest else { throw CallFailure.tooMuch }
        return label
    }

    static func itemLabel(_ label: String) throws -> String {
        try checked(label, longest: ItemRecord.longestLabel)
    }

    /// What an item would have too much of with a label and attributes that each have room alone.
    static func requireRoom(_ label: String, _ attributes: ItemAttributes) throws {
        guard
            label.utf8.count <= RecordLimits.label
                || label.utf8.count + attributes.size <= ItemAttributes.longest
        else { throw CallFailure.tooMuch }
    }

    /// The attributes; the type of the item is its schema where they name none.
    func attributes(_ interface: String) -> [String: String] {
        var all = pairs[interface + ".Attributes"] ?? [:]
        if all["xdg:schema"] == nil, let type = texts[interface + ".Type"], !type.isEmpty {
            all["xdg:schema"] = type
        }
        return all
    }
}

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
