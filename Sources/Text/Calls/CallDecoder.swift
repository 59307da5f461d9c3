internal import VaultCrypto

/// Reads arguments or results that a `CallEncoder` wrote; any other input throws, and never traps.
struct CallDecoder: Decoder {
    let value: CallValue
    /// The secrets to which the indices in `value` refer.
    let secrets: [Secret]

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a value as a type.
    static func decode<T: Decodable>(_ type: T.Type, _ value: CallValue, _ secrets: [Secret]) throws -> T {
        switch (value, type) {
        case (.secret(let place), is Secret.Type):
            guard secrets.indices.contains(place), let secret = secrets[place] as? T else {
                throw CallFormatError.malformed
            }
            return secret
        case (.bytes(let bytes), is [UInt8].Type):
            guard let bytes = bytes as? T else { throw CallFormatError.malformed }
            return bytes
        case (_, is [UInt8].Type), (_, is Secret.Type):
            throw CallFormatError.malformed
        default:
            return try T(from: CallDecoder(value: value, secrets: secrets))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .map(let pairs) = value else { throw CallFormatError.malformed }
        return KeyedDecodingContainer(Keyed<Key>(pairs: pairs, secrets: secrets))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let items) = value else { throw CallFormatError.malformed }
        return Listed(items: items, secrets: secrets)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(value: value, secrets: secrets)
    }
}

extension CallDecoder {
    struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let pairs: [String: CallValue]
        let secrets: [Secret]
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] {
            // A loop in place of `compactMap`, for a quick start (ARCHITECTURE.md).
            var keys: [Key] = []
            for name in pairs.keys { if let key = Key(stringValue: name) { keys.append(key) } }
            return keys
        }

        func contains(_ key: Key) -> Bool { pairs[key.stringValue] != nil }

        func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try CallDecoder.decode(type, try value(key), secrets)
        }

        func nestedContainer<Other: CodingKey>(
            keyedBy type: Other.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Other> {
            try CallDecoder(value: try value(key), secrets: secrets).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try CallDecoder(value: try value(key), secrets: secrets).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { throw CallFormatError.malformed }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw CallFormatError.malformed }

        private func value(_ key: Key) throws(CallFormatError) -> CallValue {
            guard let value = pairs[key.stringValue] else { throw .malformed }
            return value
        }
    }

    struct Listed: UnkeyedDecodingContainer {
        let items: [CallValue]
        let secrets: [Secret]
        var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { items.count }
        var isAtEnd: Bool { currentIndex >= items.count }

        init(items: [CallValue], secrets: [Secret]) {
            self.items = items
            self.secrets = secrets
        }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, items[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            try CallDecoder.decode(type, try next(), secrets)
        }

        mutating func nestedContainer<Key: CodingKey>(
            keyedBy type: Key.Type
        ) throws -> KeyedDecodingContainer<Key> {
            try CallDecoder(value: try next(), secrets: secrets).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try CallDecoder(value: try next(), secrets: secrets).unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { throw CallFormatError.malformed }

        private mutating func next() throws(CallFormatError) -> CallValue {
            guard !isAtEnd else { throw .malformed }
            defer { currentIndex += 1 }
            return items[currentIndex]
        }
    }

    struct Single: SingleValueDecodingContainer {
        let value: CallValue
        let secrets: [Secret]
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { value == .null }

        func decode(_ type: Bool.Type) throws -> Bool {
            guard case .bool(let isTrue) = value else { throw CallFormatError.malformed }
            return isTrue
        }

        func decode(_ type: String.Type) throws -> String {
            guard case .text(let text) = value else { throw CallFormatError.malformed }
            return text
        }

        func decode(_ type: Int.Type) throws -> Int { try number() }
        func decode(_ type: Int8.Type) throws -> Int8 { try number() }
        func decode(_ type: Int16.Type) throws -> Int16 { try number() }
        func decode(_ type: Int32.Type) throws -> Int32 { try number() }
        func decode(_ type: Int64.Type) throws -> Int64 { try number() }
        func decode(_ type: UInt.Type) throws -> UInt { try number() }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try number() }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try number() }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try number() }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try number() }
        func decode(_ type: Double.Type) throws -> Double { throw CallFormatError.malformed }
        func decode(_ type: Float.Type) throws -> Float { throw CallFormatError.malformed }

        func decode<T: Decodable>(_ type: T.Type) throws -> T {
            try CallDecoder.decode(type, value, secrets)
        }

        private func number<N: FixedWidthInteger>() throws(CallFormatError) -> N {
            switch value {
            case .unsigned(let number):
                if let exact = N(exactly: number) { return exact }
            case .negative(let number):
                if let wide = Int64(exactly: number), let exact = N(exactly: -1 - wide) { return exact }
            default: break
            }
            throw .malformed
        }
    }
}
