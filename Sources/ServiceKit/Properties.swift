internal import MessageBus
internal import ServiceFormats

/// The properties that a client gives a new object: texts and attributes, of which it may leave out any.
struct Properties {
    /// Properties of one call at most; those that are not known are passed over.
    private static let maximum = 32
    /// Bytes in the longest label.
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
    func label(_ interface: String) throws -> String { try Self.checked(texts[interface + ".Label"] ?? "") }

    static func checked(_ label: String) throws -> String {
        guard label.utf8.count <= longestLabel else { throw CallFailure.tooMuch }
        return label
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
