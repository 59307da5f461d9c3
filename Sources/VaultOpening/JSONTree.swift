/// Any JSON, as it was read: what this program does not know is written back as it was.
package indirect enum JSONTree: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        // What is usual comes first, since each attempt that fails takes its time.
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let members = try? value.decode([String: JSONTree].self) {
            self = .object(members)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .list(try value.decode([JSONTree].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let members): try value.encode(members)
        }
    }

    /// A member of an object; null where there is none.
    ///
    /// Setting it makes an object of anything else.
    package subscript(name: String) -> JSONTree {
        get {
            if case .object(let members) = self { members[name] ?? .null } else { .null }
        }
        set {
            var members: [String: JSONTree] = [:]
            if case .object(let present) = self { members = present }
            members[name] = newValue == .null ? nil : newValue
            self = .object(members)
        }
    }

    /// The names of an object's members; none for anything else.
    package var names: [String] {
        if case .object(let members) = self { members.keys.sorted() } else { [] }
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    package var number: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The members of a list; none for anything else.
    package var items: [JSONTree] {
        if case .list(let items) = self { items } else { [] }
    }
}
