internal import MessageBus
internal import RecordStore
internal import Secrets

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
