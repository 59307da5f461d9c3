/// Any JSON of somebody else (RFC 8259): members keep their order and numbers their digits, so that what is
/// not understood goes back as it came.
package indirect enum JSONDocument: Equatable, Sendable {
    case null
    case bool(Bool)
    /// As it is written.
    case number(String)
    case text(String)
    case list([JSONDocument])
    case object([Member])

    /// A name and its value.
    package struct Member: Equatable, Sendable {
        package let name: String
        package var value: JSONDocument

        package init(name: String, value: JSONDocument) {
            self.name = name
            self.value = value
        }
    }

    /// A member of an object; nil where there is none.
    ///
    /// Setting it keeps its place, or puts it behind all others; nil takes it out.
    package subscript(name: String) -> JSONDocument? {
        get { members.first { $0.name == name }?.value }
        set {
            var members = members
            let place = members.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// The members of an object; none of anything else.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// A whole number without an exponent.
    package var integer: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }
}

extension JSONDocument {
    /// The text on one line.
    package var line: String { written(nil) }

    /// The text as people read it, two blanks a level, with a line feed at its end.
    package var pages: String { written(0) + "\n" }

    private func written(_ depth: Int?) -> String {
        switch self {
        case .null: "null"
        case .bool(let truth): truth ? "true" : "false"
        case .number(let digits): digits
        case .text(let text): Self.quoted(text)
        case .list(let items):
            Self.wrapped("[", items.map { $0.written(depth.map { $0 + 1 }) }, "]", depth)
        case .object(let members):
            Self.wrapped(
                "{",
                members.map { member in
                    Self.quoted(member.name) + (depth == nil ? ":" : ": ")
                        + member.value.written(depth.map { $0 + 1 })
                },
                "}",
                depth
            )
        }
    }

    private static func wrapped(_ open: String, _ items: [String], _ close: String, _ depth: Int?) -> String {
        guard let depth, !items.isEmpty else { return open + listed(items) + close }
        let inner = "\n" + String(repeating: "  ", count: depth + 1)
        return open + inner + items.joined(separator: "," + inner) + "\n"
            + String(repeating: "  ", count: depth)
            + close
    }

    /// With commas between them, for the lines that programs exchange: `joined` would make a type for it first.
    private static func listed(_ items: [String]) -> String {
        var line = ""
        for (place, item) in items.enumerated() {
            if place > 0 { line += "," }
            line += item
        }
        return line
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
