internal import SafeText
package import VaultCrypto

/// A JSON value whose keys keep their order, and which may carry a secret without copying it to a String.
package indirect enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
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
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

extension JSONValue {
    /// A Unix time as RFC 3339 in UTC; null when there is none.
    package static func time(_ seconds: Int64?) -> JSONValue {
        seconds.map { .text(Times.rfc3339($0)) } ?? .null
    }

    /// A text, or null.
    package static func optional(_ text: String?) -> JSONValue {
        text.map { .text($0) } ?? .null
    }

    /// A number, or null.
    package static func optional(_ number: Int64?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }

    /// A secret as text when it is UTF-8, otherwise in base64: the key must say which.
    package static func isText(_ secret: borrowing some ByteSource & ~Copyable) -> Bool {
        UTF8Reader.isValid(secret)
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
