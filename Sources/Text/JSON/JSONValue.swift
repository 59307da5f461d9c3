package import VaultCrypto

/// A JSON value (RFC 8259).
///
/// Members keep their order and numbers their digits, so that unknown parts can be written back unchanged. A secret is
/// never copied into a String.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// The digits as written.
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([JSONMember])
    /// A secret of valid UTF-8, written as a JSON string.
    case secret(Secret)
    /// The bytes of a secret, written as base64.
    case secretBase64(Secret)
    /// Bytes that are not secret, written as base64.
    case base64([UInt8])
}

/// A member of an object: its name and its value.
package struct JSONMember: Sendable {
    package let name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }

    /// True if the member has this name, byte for byte: "é" in two encodings is two names (RFC 8259 section 8.3).
    package func isCalled(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}

extension JSONValue {
    /// An integer, clamped to Int64.
    package static func integer(_ number: some BinaryInteger) -> JSONValue {
        .number("\(Int64(clamping: number))")
    }

    /// A Unix time as RFC 3339 in UTC; null for nil.
    package static func time(_ seconds: (some BinaryInteger)?) -> JSONValue {
        seconds.map { .text(Times.rfc3339(Int64(clamping: $0))) } ?? .null
    }

    /// A text; null for nil.
    package static func optional(_ text: String?) -> JSONValue {
        text.map { .text($0) } ?? .null
    }

    /// A number; null for nil.
    package static func optional(_ number: (some BinaryInteger)?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }

    /// A text; null for an empty one.
    package static func unlessEmpty(_ text: String) -> JSONValue { text.isEmpty ? .null : .text(text) }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONValue {
        .list(texts.map { .text($0) })
    }

    /// Returns an object of this object's members, followed by the other's.
    package func with(_ other: JSONValue) -> JSONValue { .object(members + other.members) }

    /// True if a secret is UTF-8 and can be written as text; otherwise it is written as base64, under another name.
    package static func isText(_ secret: borrowing some ByteSource & ~Copyable) -> Bool {
        UTF8Reader.isValid(secret)
    }
}

extension JSONValue {
    /// The first member with this name; nil if it is missing.
    ///
    /// Setting a member keeps its position, or appends it, and turns any other value into an object. Nil removes the member.
    package subscript(name: String) -> JSONValue? {
        get { members.first { $0.isCalled(name) }?.value }
        set {
            var members = members
            let place = members.firstIndex { $0.isCalled(name) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(JSONMember(name, value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// The members of an object; empty for any other value.
    package var members: [JSONMember] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The items of a list; empty for any other value.
    package var items: [JSONValue] {
        if case .list(let items) = self { items } else { [] }
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value of an integer without an exponent; nil for any other value.
    package var integer: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// Compares values: the order of members is ignored, texts are equal byte for byte, and a secret never equals anything.
extension JSONValue: Equatable {
    package static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
        case (.list(let one), .list(let other)): one == other
        case (.object(let one), .object(let other)): one.count == other.count && byName(one) == byName(other)
        case (.base64(let one), .base64(let other)): one == other
        default: false
        }
    }

    private static func byName(_ members: [JSONMember]) -> [[UInt8]: JSONValue] {
        Dictionary(members.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { JSONMember($0.0, $0.1) })
    }
}

extension JSONValue {
    /// Reads a text without secrets.
    ///
    /// - Throws: `malformed` if the text is not exactly one JSON value in UTF-8, or if a name occurs twice in one object;
    ///   `tooDeep`; `tooManyValues`.
    package init(_ text: [UInt8], _ limits: JSONLimits = JSONLimits()) throws(JSONError) {
        guard String(validating: text, as: UTF8.self) != nil else { throw .malformed(line: 1) }
        var decoded = text
        var span = decoded.mutableSpan
        // The reader writes bytes only, and any byte is a valid UInt8.
        var bytes = unsafe span.mutableBytes
        let place = try JSONPlace(reading: &bytes, limits)
        try self.init(place, in: decoded)
    }

    private init(_ place: JSONPlace, in text: [UInt8]) throws(JSONError) {
        switch place {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .number(let range): self = .number(String(decoding: text[range], as: UTF8.self))
        case .text(let range): self = .text(String(decoding: text[range], as: UTF8.self))
        case .list(let places):
            var items: [JSONValue] = []
            for place in places { items.append(try JSONValue(place, in: text)) }
            self = .list(items)
        case .object(let places):
            var members: [JSONMember] = []
            var names: Set<ArraySlice<UInt8>> = []
            for place in places {
                let name = String(decoding: text[place.name], as: UTF8.self)
                guard names.insert(text[place.name]).inserted else { throw .malformed(line: 1) }
                members.append(JSONMember(name, try JSONValue(place.value, in: text)))
            }
            self = .object(members)
        }
    }
}
