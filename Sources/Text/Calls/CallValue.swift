package import VaultCrypto

/// A value of a call or of a message between our programs, and its bytes.
///
/// The encoding is the part of CBOR (RFC 8949) that they need, in its shortest form, with known lengths. It has numbers,
/// texts, bytes, lists, maps with text keys, `false`, `true` and `null`. A secret is a number under the tag 32768: its index
/// among the secrets beside the call.
package enum CallValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case unsigned(UInt64)
    /// The number `-1 - n`.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case list([CallValue])
    case map([String: CallValue])
    case secret(Int)

    /// The deepest nesting of values.
    static let deepest = 24
    /// The longest encoding that is read, 8 MiB.
    static let longest = 8 << 20
    /// The CBOR tag of a secret.
    private static let secretTag: UInt64 = 32768

    /// The encoding; the keys of maps are in ascending order.
    package var encoded: [UInt8] {
        var out: [UInt8] = []
        write(to: &out)
        return out
    }

    private func write(to out: inout [UInt8]) {
        switch self {
        case .null: out.append(0xF6)
        case .bool(let isTrue): out.append(isTrue ? 0xF5 : 0xF4)
        case .unsigned(let number): Self.head(0, number, &out)
        case .negative(let number): Self.head(1, number, &out)
        case .bytes(let bytes):
            Self.head(2, UInt64(bytes.count), &out)
            out += bytes
        case .text(let text):
            Self.head(3, UInt64(text.utf8.count), &out)
            out += text.utf8
        case .list(let items):
            Self.head(4, UInt64(items.count), &out)
            for item in items { item.write(to: &out) }
        case .map(let pairs):
            Self.head(5, UInt64(pairs.count), &out)
            for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
                CallValue.text(key).write(to: &out)
                value.write(to: &out)
            }
        case .secret(let place):
            Self.head(6, Self.secretTag, &out)
            Self.head(0, UInt64(place), &out)
        }
    }

    private static func head(_ major: UInt8, _ number: UInt64, _ out: inout [UInt8]) {
        let major = major << 5
        switch number {
        case ..<24: out.append(major | UInt8(number))
        case ...0xFF: out += [major | 24, UInt8(number)]
        case ...0xFFFF: out += [major | 25, UInt8(number >> 8), UInt8(number & 0xFF)]
        default:
            let isLong = number > 0xFFFF_FFFF
            out.append(major | (isLong ? 27 : 26))
            for shift in stride(from: isLong ? 56 : 24, through: 0, by: -8) {
                out.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
    }

    /// Reads exactly one value, as `encoded` writes it.
    ///
    /// - Parameters:
    ///   - encoded: The bytes.
    ///   - values: The most values that it may have, including itself and the keys of maps.
    /// - Throws: `malformed` for anything else; a length that exceeds the remaining bytes is refused before any allocation.
    package init(encoded: [UInt8], values: Int = .max) throws(CallFormatError) {
        guard encoded.count <= Self.longest else { throw .malformed }
        var reader = Reader(bytes: encoded[...], left: values)
        self = try reader.value(depth: 0)
        guard reader.bytes.isEmpty else { throw .malformed }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>
        /// How many more values may come.
        var left: Int

        mutating func value(depth: Int) throws(CallFormatError) -> CallValue {
            guard depth < deepest, left > 0, let first = bytes.popFirst() else { throw .malformed }
            left -= 1
            switch first {
            case 0xF4: return .bool(false)
            case 0xF5: return .bool(true)
            case 0xF6: return .null
            default: break
            }
            let number = try number(first & 0x1F)
            switch first >> 5 {
            case 0: return .unsigned(number)
            case 1: return .negative(number)
            case 2: return .bytes(Array(try take(number)))
            case 3: return .text(try text(number))
            case 4:
                var items: [CallValue] = []
                // Each value has at least one byte.
                for _ in 0..<(try count(number)) { items.append(try value(depth: depth + 1)) }
                return .list(items)
            case 5:
                var pairs: [String: CallValue] = [:]
                var last: String?
                for _ in 0..<(try count(number)) {
                    guard case .text(let key) = try value(depth: depth + 1), last.map({ $0 < key }) ?? true
                    else { throw .malformed }
                    pairs[key] = try value(depth: depth + 1)
                    last = key
                }
                return .map(pairs)
            case 6:
                guard number == secretTag, case .unsigned(let place) = try value(depth: depth + 1),
                    let place = Int(exactly: place)
                else { throw .malformed }
                return .secret(place)
            default: throw .malformed
            }
        }

        private mutating func number(_ info: UInt8) throws(CallFormatError) -> UInt64 {
            switch info {
            case ..<24: return UInt64(info)
            case 24...27:
                let number = try take(1 << UInt64(info - 24)).reduce(0) { $0 << 8 | UInt64($1) }
                guard number >= (info == 24 ? 24 : 1 << (4 << UInt64(info - 24))) else { throw .malformed }
                return number
            default: throw .malformed
            }
        }

        private func count(_ number: UInt64) throws(CallFormatError) -> Int {
            guard number <= UInt64(bytes.count) else { throw .malformed }
            return Int(number)
        }

        private mutating func take(_ number: UInt64) throws(CallFormatError) -> ArraySlice<UInt8> {
            let count = try count(number)
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        private mutating func text(_ number: UInt64) throws(CallFormatError) -> String {
            guard let text = String(validating: try take(number), as: UTF8.self) else { throw .malformed }
            return text
        }
    }
}

extension CallValue {
    /// Encodes a value, and appends its secrets to `secrets`.
    ///
    /// - Throws: `malformed` if the value has no encoding.
    package init(_ value: some Encodable, secrets: inout [Secret]) throws(CallFormatError) {
        let list = CallEncoder.SecretList(secrets)
        do {
            self = try CallEncoder.value(of: value, list)
        } catch {
            throw .malformed
        }
        secrets = list.secrets
    }

    /// Decodes a type; `secrets` are those to which the indices refer.
    ///
    /// - Throws: `malformed` if the value does not have the form of the type.
    package func decoded<T: Decodable>(_ type: T.Type, secrets: [Secret]) throws(CallFormatError) -> T {
        do {
            return try CallDecoder.decode(type, self, secrets)
        } catch {
            throw .malformed
        }
    }
}

/// The error of a call, or of its response, that is not in the form of its operation.
package enum CallFormatError: Error, Equatable, Sendable {
    /// The value does not have the expected form.
    case malformed
}
