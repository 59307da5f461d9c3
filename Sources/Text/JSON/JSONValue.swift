package import VaultCrypto

/// A JSON value (RFC 8259): members keep their order and numbers their digits, so that what is not understood goes back
/// as it came, and a secret is carried without a copy in a String.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// As it is written.
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([JSONMember])
    /// A secret of valid UTF-8, written as a JSON string.
    case secret(Secret)
    /// Bytes of a secret, in base64.
    case secretBase64(Secret)
    /// Public bytes, in base64.
    case base64([UInt8])
}

/// A name and its value.
package struct JSONMember: Sendable {
    package let name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }

    /// Whether it has this name, byte for byte: "é" written in two ways is two names (RFC 8259 section 8.3).
    package func isCalled(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}

extension JSONValue {
    /// A whole number, clamped to Int64.
    package static func integer(_ number: some BinaryInteger) -> JSONValue {
        .number("\(Int64(clamping: number))")
    }

    /// A Unix time as RFC 3339 in UTC; null when there is none.
    package static func time(_ seconds: (some BinaryInteger)?) -> JSONValue {
        seconds.map { .text(Times.rfc3339(Int64(clamping: $0))) } ?? .null
    }

    /// A text, or null.
    package static func optional(_ text: String?) -> JSONValue {
        text.map { .text($0) } ?? .null
    }

    /// A number, or null.
    package static func optional(_ number: (some BinaryInteger)?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }

    /// A text; null for an empty one.
    package static func unlessEmpty(_ text: String) -> JSONValue { text.isEmpty ? .null : .text(text) }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONValue {
        .list(texts.map { .text($0) })
    }

    /// The object with the members of another one behind its own.
    package func with(_ other: JSONValue) -> JSONValue { .object(members + other.members) }

    /// A secret as text when it is UTF-8, otherwise in base64: the key must say which.
    package static func isText(_ secret: borrowing some ByteSource & ~Copyable) -> Bool {
        UTF8Reader.isValid(secret)
    }
}

extension JSONValue {
    /// A member of an object; nil where there is none.
    ///
    /// Setting it keeps its place, or puts it after all others, and makes an object of anything else; nil removes it.
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

    /// The members of an object; none of anything else.
    package var members: [JSONMember] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The items of a list; none of anything else.
    package var items: [JSONValue] {
        if case .list(let items) = self { items } else { [] }
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// A whole number without an exponent.
    package var integer: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// The order of members says nothing; texts are equal byte for byte, and a secret is equal to nothing.
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
    /// Reads a text that holds no secret.
    ///
    /// - Throws: `malformed` for anything that is not exactly one JSON value in UTF-8, and for a name that stands
    ///   twice in one object; `tooDeep`; `tooManyValues`.
    package init(_ text: [UInt8], _ limits: JSONLimits = JSONLimits()) throws(JSONError) {
        guard String(validating: text, as: UTF8.self) != nil else { throw .malformed(line: 1) }
        var decoded = text
        var span = decoded.mutableSpan
        // Whatever is written there is a byte.
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
