internal import VaultCrypto

/// Turns the arguments or the result of an operation into a `CallValue`, and collects their secrets beside it.
///
/// Secrets are never copied: each goes into `secrets` as it is, and the value holds its index there.
final class CallEncoder: Encoder {
    /// The secrets of one call, in the order in which they were encoded.
    final class SecretList {
        var secrets: [Secret]

        init(_ secrets: [Secret] = []) { self.secrets = secrets }
    }

    let secretList: SecretList
    var value: CallValue = .null
    private var lists: ListBox?
    private var maps: MapBox?

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ secretList: SecretList = SecretList()) { self.secretList = secretList }

    /// The encoded value.
    var whole: CallValue { maps?.value ?? lists?.value ?? value }

    /// Encodes an item.
    static func value<T: Encodable>(of item: T, _ secretList: SecretList) throws -> CallValue {
        // Types are compared first: an empty list of any type could be cast to bytes, and a failing cast is slow.
        if T.self == Secret.self, let secret = item as? Secret {
            secretList.secrets.append(secret)
            return .secret(secretList.secrets.count - 1)
        }
        if T.self == [UInt8].self, let bytes = item as? [UInt8] { return .bytes(bytes) }
        let encoder = CallEncoder(secretList)
        try item.encode(to: encoder)
        return encoder.whole
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let box = maps ?? MapBox()
        maps = box
        return KeyedEncodingContainer(Keyed<Key>(box: box, secretList: secretList))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let box = lists ?? ListBox()
        lists = box
        return Listed(box: box, secretList: secretList)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }
}

extension CallEncoder {
    /// A map under construction.
    final class MapBox {
        var pairs: [String: CallValue] = [:]
        var nested: [String: MapBox] = [:]

        var value: CallValue {
            .map(pairs.merging(nested.mapValues(\.value)) { _, new in new })
        }
    }

    /// A list under construction.
    final class ListBox {
        var items: [CallValue] = []
        var value: CallValue { .list(items) }
    }

    struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let box: MapBox
        let secretList: SecretList
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) throws { box.pairs[key.stringValue] = .null }

        mutating func encode(_ value: some Encodable, forKey key: Key) throws {
            box.pairs[key.stringValue] = try CallEncoder.value(of: value, secretList)
        }

        mutating func nestedContainer<Other: CodingKey>(
            keyedBy keyType: Other.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Other> {
            let inner = MapBox()
            box.nested[key.stringValue] = inner
            return KeyedEncodingContainer(Keyed<Other>(box: inner, secretList: secretList))
        }

        // No value that crosses a process boundary is a class with a superclass, or writes lists by hand.
        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            Listed(box: ListBox(), secretList: secretList)
        }

        mutating func superEncoder() -> any Encoder { CallEncoder(secretList) }
        mutating func superEncoder(forKey key: Key) -> any Encoder { CallEncoder(secretList) }
    }

    struct Listed: UnkeyedEncodingContainer {
        let box: ListBox
        let secretList: SecretList
        var codingPath: [any CodingKey] { [] }
        var count: Int { box.items.count }

        mutating func encodeNil() throws { box.items.append(.null) }

        mutating func encode(_ value: some Encodable) throws {
            box.items.append(try CallEncoder.value(of: value, secretList))
        }

        mutating func nestedContainer<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<
            Key
        > {
            KeyedEncodingContainer(Keyed<Key>(box: MapBox(), secretList: secretList))
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            Listed(box: ListBox(), secretList: secretList)
        }

        mutating func superEncoder() -> any Encoder { CallEncoder(secretList) }
    }

    struct Single: SingleValueEncodingContainer {
        let encoder: CallEncoder
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil() throws { encoder.value = .null }
        mutating func encode(_ value: Bool) throws { encoder.value = .bool(value) }
        mutating func encode(_ value: String) throws { encoder.value = .text(value) }
        mutating func encode(_ value: Int) throws { encoder.value = Self.number(Int64(value)) }
        mutating func encode(_ value: Int8) throws { encoder.value = Self.number(Int64(value)) }
        mutating func encode(_ value: Int16) throws { encoder.value = Self.number(Int64(value)) }
        mutating func encode(_ value: Int32) throws { encoder.value = Self.number(Int64(value)) }
        mutating func encode(_ value: Int64) throws { encoder.value = Self.number(value) }
        mutating func encode(_ value: UInt) throws { encoder.value = .unsigned(UInt64(value)) }
        mutating func encode(_ value: UInt8) throws { encoder.value = .unsigned(UInt64(value)) }
        mutating func encode(_ value: UInt16) throws { encoder.value = .unsigned(UInt64(value)) }
        mutating func encode(_ value: UInt32) throws { encoder.value = .unsigned(UInt64(value)) }
        mutating func encode(_ value: UInt64) throws { encoder.value = .unsigned(value) }
        mutating func encode(_ value: Double) throws { throw CallFormatError.malformed }
        mutating func encode(_ value: Float) throws { throw CallFormatError.malformed }

        mutating func encode(_ value: some Encodable) throws {
            encoder.value = try CallEncoder.value(of: value, encoder.secretList)
        }

        private static func number(_ value: Int64) -> CallValue {
            value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
        }
    }
}
