internal import Crypto
internal import VaultCrypto

/// A name in known_hosts that cannot be read, only compared: `|1|salt|HMAC-SHA1(salt, name)` in base64.
struct HashedName: Hashable, Sendable {
    /// Bytes in the salt, and in the hash.
    static let size = 20

    private static let mark = Array("|1|".utf8)

    /// The salt that the name is hashed with.
    let salt: [UInt8]
    /// The hash; of another size where the line was damaged, and then no name has it.
    let tag: [UInt8]

    /// Reads a name that begins with `|`; nil without a whole salt, where OpenSSH gives up the line.
    init?(_ text: [UInt8]) {
        guard text.starts(with: Self.mark) else { return nil }
        let rest = text.dropFirst(Self.mark.count)
        guard let bar = rest.firstIndex(of: 0x7C), let salt = StrictBase64.decode(rest[..<bar]),
            salt.count == Self.size
        else { return nil }
        self.salt = salt
        tag = StrictBase64.decode(rest[(bar + 1)...]) ?? []
    }

    /// Hashes a name, which is in lower case and has its port with it.
    init(of name: [UInt8], salt: [UInt8]) {
        self.salt = salt
        tag = Self.hash(name, salt: salt)
    }

    /// Whether this is the hash of that name.
    func matches(_ name: [UInt8]) -> Bool {
        tag.count == Self.size && tag == Self.hash(name, salt: salt)
    }

    /// The text of the name in known_hosts.
    var text: [UInt8] {
        StrictBase64.encodedBytes(tag, after: StrictBase64.encodedBytes(salt, after: Self.mark) + [0x7C])
    }

    private static func hash(_ name: [UInt8], salt: [UInt8]) -> [UInt8] {
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: name, using: SymmetricKey(data: salt)))
    }
}
