internal import RecordStore
internal import VaultCrypto

/// The keys that mark what a vault wrote (Schemas/keyring-vault.md section 2).
///
/// The root holds the key, so they do not keep out who reads the keyring. They let every accident and every edit of
/// another program be seen.
struct MarkKeys: Sendable {
    /// Bytes of the key in the root.
    static let size = 32

    /// The key in the root.
    let key: Secret
    /// The key that seals the copy of the root.
    let copy: Secret
    private let keys: [Secret]

    /// The kind of content that a mark authenticates; equal bytes have different marks in each kind.
    enum Place: Int, CaseIterable, Sendable {
        case root, page, body

        fileprivate var info: [UInt8] {
            switch self {
            case .root: Array("root".utf8)
            case .page: Array("page".utf8)
            case .body: Array("body".utf8)
            }
        }
    }

    /// The keys under the key of a root.
    init(_ key: Secret) throws(StoreError) {
        guard key.count == Self.size else { throw .tampered(.head) }
        self.key = key
        var keys: [Secret] = []
        do {
            for place in Place.allCases {
                keys.append(Secret(try HKDF.expand(key, info: place.info, count: 32)))
            }
            copy = Secret(try HKDF.expand(key, info: Array("copy".utf8), count: 32))
        } catch {
            throw StoreError(error)
        }
        self.keys = keys
    }

    /// New keys.
    static func make(_ entropy: Entropy) throws(StoreError) -> MarkKeys {
        let key: Secret
        do { key = Secret(try entropy.secret(size)) } catch { throw StoreError(error) }
        return try MarkKeys(key)
    }

    /// The mark of some content, 32 bytes.
    func tag(_ content: borrowing some ByteSource & ~Copyable, _ place: Place) -> [UInt8] {
        HMACSHA256.tag(content, key: keys[place.rawValue])
    }
}
