internal import SafeText

/// Any JSON, as it was read: what this program does not know is written back as it was.
package indirect enum JSONTree: Encodable, Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    /// Nil for a number that is larger than any that can be kept.
    init?(_ document: JSONDocument) {
        switch document {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let digits):
            if let integer = Int64(digits) {
                self = .integer(integer)
            } else {
                guard let number = Double(digits), number.isFinite else { return nil }
                self = .number(number)
            }
        case .text(let text): self = .text(text)
        case .list(let items):
            var list: [JSONTree] = []
            for item in items {
                guard let tree = JSONTree(item) else { return nil }
                list.append(tree)
            }
            self = .list(list)
        case .object(let members):
            var object: [String: JSONTree] = [:]
            for member in members {
                guard let tree = JSONTree(member.value) else { return nil }
                object[member.name] = tree
            }
            self = .object(object)
        }
    }

    /// Reads a text; nil for anything that is not JSON.
    package init?(_ text: [UInt8]) {
        guard let document = try? JSONDocument(text) else { return nil }
        self.init(document)
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
