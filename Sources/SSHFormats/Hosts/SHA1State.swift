/// SHA-1 between two blocks (RFC 3174 section 6.1).
///
/// For names in known_hosts, which are hashed by the million when two files are compared. Nothing secret goes
/// through it, and nothing is proved by it.
struct SHA1State: Equatable {
    /// 64 bytes as words.
    typealias Block = InlineArray<16, UInt32>

    /// Bytes that fit into one block with the end mark and the length after them.
    static let longestEnd = 55

    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476
    private var e: UInt32 = 0xC3D2_E1F0

    /// The state after the padded key of an HMAC of at most 64 bytes (RFC 2104 section 2).
    init(key: [UInt8], pad: UInt8) {
        var block = Block(repeating: 0)
        for index in 0..<64 {
            Self.put((index < key.count ? key[index] : 0) ^ pad, at: index, in: &block)
        }
        compress(block)
    }

    /// The state that a digest of 20 bytes is.
    init(digest: [UInt8]) {
        var block = Block(repeating: 0)
        for (index, byte) in digest.prefix(20).enumerated() { Self.put(byte, at: index, in: &block) }
        (a, b, c, d, e) = (block[0], block[1], block[2], block[3], block[4])
    }

    /// The last block of a message after one other block; nil for more than `longestEnd` bytes.
    static func end(_ bytes: [UInt8]) -> Block? {
        guard bytes.count <= longestEnd else { return nil }
        var block = Block(repeating: 0)
        for (index, byte) in bytes.enumerated() { put(byte, at: index, in: &block) }
        put(0x80, at: bytes.count, in: &block)
        block[15] = UInt32(64 + bytes.count) * 8
        return block
    }

    /// The digest as the last block of another message after one other block.
    var end: Block {
        [a, b, c, d, e, 0x8000_0000, 0, 0, 0, 0, 0, 0, 0, 0, 0, (64 + 20) * 8]
    }

    /// Takes a block in.
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
