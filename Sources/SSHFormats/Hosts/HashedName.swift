internal import Crypto
internal import VaultCrypto

/// A hashed name in known_hosts, which can be compared but not read: `|1|salt|HMAC-SHA1(salt, name)` in base64.
struct HashedName: Hashable, Sendable {
    /// The size of the salt and of the hash in bytes.
    static let size = 20

    private static let mark = Array("|1|".utf8)

    /// The salt of the hash.
    let salt: [UInt8]
    /// The hash; if the line is damaged it may have another size, and then it matches no name.
    let tag: [UInt8]

    /// Reads a name that begins with `|`; nil if the salt is incomplete, since OpenSSH then rejects the line.
    init?(_ text: [UInt8]) {
        guard text.starts(with: Self.mark) else { return nil }
        let rest = text.dropFirst(Self.mark.count)
        guard let bar = rest.firstIndex(of: 0x7C), let salt = StrictBase64.decode(rest[..<bar]),
            salt.count == Self.size
        else { return nil }
        self.salt = salt
        tag = StrictBase64.decode(rest[(bar + 1)...]) ?? []
    }

    /// Hashes a name in lower case with its port.
    init(of name: [UInt8], salt: [UInt8]) {
        self.salt = salt
        tag = Self.hash(name, salt: salt)
    }

    /// Whether this is the hash of that name.
    func matches(_ name: [UInt8]) -> Bool {
        tag.count == Self.size && tag == Self.hash(name, salt: salt)
    }

    /// The text of the hashed name in known_hosts.
    var text: [UInt8] {
        StrictBase64.encodedBytes(tag, after: StrictBase64.encodedBytes(salt, after: Self.mark) + [0x7C])
    }

    private static func hash(_ name: [UInt8], salt: [UInt8]) -> [UInt8] {
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: name, using: SymmetricKey(data: salt)))
    }
}

/// SHA-1 for messages of exactly two blocks (RFC 3174 section 6.1).
///
/// It is for names in known_hosts, which are hashed by the million when two files are compared. It never processes
/// secrets and proves nothing.
struct SHA1State: Equatable {
    /// A block of 64 bytes as words.
    typealias Block = InlineArray<16, UInt32>

    /// The number of bytes that fit into a block together with the end mark and the length.
    static let longestEnd = 55

    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476
    private var e: UInt32 = 0xC3D2_E1F0

    /// Returns the state after the padded key of an HMAC of at most 64 bytes (RFC 2104 section 2).
    init(key: [UInt8], pad: UInt8) {
        var block = Block(repeating: 0)
        for index in 0..<64 {
            Self.put((index < key.count ? key[index] : 0) ^ pad, at: index, in: &block)
        }
        compress(block)
    }

    /// Creates the state from a digest of 20 bytes.
    init(digest: [UInt8]) {
        var block = Block(repeating: 0)
        for (index, byte) in digest.prefix(20).enumerated() { Self.put(byte, at: index, in: &block) }
        (a, b, c, d, e) = (block[0], block[1], block[2], block[3], block[4])
    }

    /// Returns the last block of a message after one other block; nil for more than `longestEnd` bytes.
    static func end(_ bytes: [UInt8]) -> Block? {
        guard bytes.count <= longestEnd else { return nil }
        var block = Block(repeating: 0)
        for (index, byte) in bytes.enumerated() { put(byte, at: index, in: &block) }
        put(0x80, at: bytes.count, in: &block)
        block[15] = UInt32(64 + bytes.count) * 8
        return block
    }

    /// Returns the digest as the last block of another message after one other block.
    var end: Block {
        [a, b, c, d, e, 0x8000_0000, 0, 0, 0, 0, 0, 0, 0, 0, 0, (64 + 20) * 8]
    }

    /// Processes a block.
    mutating func compress(_ block: Block) {
        var words = block
        var (a, b, c, d, e) = (self.a, self.b, self.c, self.d, self.e)
        for round in 0..<80 {
            let place = round & 15
            if round >= 16 {
                let word =
                    words[(round &+ 13) & 15] ^ words[(round &+ 8) & 15] ^ words[(round &+ 2) & 15]
                    ^ words[place]
                words[place] = word << 1 | word >> 31
            }
            let mixed: UInt32 =
                switch round {
                case 0..<20: (d ^ (b & (c ^ d))) &+ 0x5A82_7999
                case 20..<40: (b ^ c ^ d) &+ 0x6ED9_EBA1
                case 40..<60: ((b & c) | (d & (b | c))) &+ 0x8F1B_BCDC
                default: (b ^ c ^ d) &+ 0xCA62_C1D6
                }
            let next = (a << 5 | a >> 27) &+ mixed &+ e &+ words[place]
            (a, b, c, d, e) = (next, a, b << 30 | b >> 2, c, d)
        }
        self.a &+= a
        self.b &+= b
        self.c &+= c
        self.d &+= d
        self.e &+= e
    }

    private static func put(_ byte: UInt8, at index: Int, in block: inout Block) {
        block[index / 4] |= UInt32(byte) << UInt32(24 - index % 4 * 8)
    }
}
