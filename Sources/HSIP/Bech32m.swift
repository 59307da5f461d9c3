/// Bech32m (BIP-350) of whole bytes, without the limit of 90 characters.
///
/// The checksum detects typing and copying mistakes; it does not protect against attackers.
enum Bech32m {
    /// The longest text, in characters.
    static let longest = 4096
    /// The checksum constant of bech32m; plain bech32 has 1 and is refused.
    static let constant: UInt32 = 0x2bc8_30a3
    /// The number of characters in the checksum.
    static let checksumCount = 6

    private static let characters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    /// The value of each byte as a character in either case; 255 if it is not a bech32 character.
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, character) in characters.enumerated() {
            table[Int(character)] = UInt8(value)
            if character >= 0x61 { table[Int(character) - 0x20] = UInt8(value) }
        }
        return table
    }()

    /// The value 0..<32 of a bech32 character in either case; nil for any other byte.
    static func value(of character: UInt8) -> UInt8? {
        let value = values[Int(character)]
        return value < 32 ? value : nil
    }

    /// The text of `bytes` under a lower-case human-readable part, all lower case.
    static func encode(_ bytes: [UInt8], hrp: String) -> [UInt8] {
        let head = Array(hrp.utf8)
        let data = fives(of: bytes)
        let sum = polymod(of: expanded(head) + data + [UInt8](repeating: 0, count: checksumCount)) ^ constant
        let check = (0..<checksumCount).map { UInt8(sum >> UInt32(5 * (5 - $0)) & 31) }
        return head + [0x31] + (data + check).map { characters[Int($0)] }
    }

    /// A code as people see it: `HSIP:` and the bech32m text, in upper case.
    static func codeText(_ bytes: [UInt8], kind: CodeKind) -> String { codeText(bytes, hrp: kind.hrp) }

    /// The text of a code under a lower-case human-readable part.
    static func codeText(_ bytes: [UInt8], hrp: String) -> String {
        let lower = String(decoding: encode(bytes, hrp: hrp), as: UTF8.self)
        return "HSIP:" + lower.uppercased()
    }

    /// The bytes after a lower-case human-readable part, from the values of all characters after the `1`.
    ///
    /// Nil if the checksum is wrong, the text is longer than 4,096 characters, or the spare bits are five or more or
    /// not zero.
    static func decode(_ values: [UInt8], hrp: [UInt8]) -> [UInt8]? {
        guard hrp.count + 1 + values.count <= longest, values.count >= checksumCount,
            polymod(of: expanded(hrp) + values) == constant
        else { return nil }
        return bytes(of: values.dropLast(checksumCount))
    }

    /// The two parts of any bech32m text by the rules of BIP-350, except the length; nil for any other text.
    ///
    /// The human-readable part is returned in lower case, the data as values of five bits without the checksum.
    static func parts(of text: [UInt8]) -> (hrp: [UInt8], values: [UInt8])? {
        guard text.count <= longest, text.allSatisfy({ (33...126).contains($0) }),
            !(text.contains { (0x61...0x7A).contains($0) } && text.contains { (0x41...0x5A).contains($0) }),
            let separator = text.lastIndex(of: 0x31), separator >= 1
        else { return nil }
        let hrp = text[..<separator].map(lowercased)
        let values = text[(separator + 1)...].compactMap(value(of:))
        guard values.count == text.count - separator - 1, values.count >= checksumCount,
            polymod(of: expanded(hrp) + values) == constant
        else { return nil }
        return (hrp, values.dropLast(checksumCount))
    }

    /// The number of characters after the `1` for this number of bytes and the checksum.
    static func characterCount(ofBytes count: Int) -> Int {
        (count * 8 + 4) / 5 + checksumCount
    }

    /// ASCII letters in lower case, and every other byte unchanged.
    static func lowercased(_ character: UInt8) -> UInt8 {
        (0x41...0x5A).contains(character) ? character + 0x20 : character
    }

    /// Bytes as groups of five bits, the last one filled with zeros.
    static func fives(of bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count * 8 + 4) / 5)
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            pending = (pending << 8 | UInt32(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                out.append(UInt8(pending >> bits & 31))
            }
        }
        if bits > 0 { out.append(UInt8(pending << (5 - bits) & 31)) }
        return out
    }

    /// The whole bytes in groups of five bits; nil if five or more spare bits, or a spare 1 bit, remain.
    static func bytes(of values: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        let spare = values.count * 5 % 8
        let last = values.last ?? 0
        guard spare < 5, last & (1 << UInt8(spare) - 1) == 0 else { return nil }
        return wholeBytes(of: values)
    }

    /// The whole bytes in groups of five bits; spare bits at the end are ignored.
    static func wholeBytes(of values: some BidirectionalCollection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(values.count * 5 / 8)
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for value in values {
            pending = (pending << 5 | UInt32(value & 31)) & 0xFFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(pending >> bits & 255))
            }
        }
        return out
    }

    fileprivate static func expanded(_ hrp: [UInt8]) -> [UInt8] {
        hrp.map { $0 >> 5 } + [0] + hrp.map { $0 & 31 }
    }

    private static func polymod(of values: [UInt8]) -> UInt32 {
        var sum = Checksum()
        for value in values { sum.add(value) }
        return sum.state
    }
}

extension Bech32m {
    /// The checksum, character by character: it shows where a code of unknown length ends.
    struct Checksum {
        fileprivate private(set) var state: UInt32 = 1
        private var count = 0

        private static let generator: [UInt32] = [
            0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3,
        ]

        /// The checksum of no data.
        fileprivate init() {}

        /// The checksum after a lower-case human-readable part and its `1`.
        init(hrp: [UInt8]) {
            for value in Bech32m.expanded(hrp) { add(value) }
            count = 0
        }

        /// Adds the value of the next character.
        mutating func add(_ value: UInt8) {
            let top = state >> 25
            state = (state & 0x1ff_ffff) << 5 ^ UInt32(value)
            for bit in 0..<5 where top >> UInt32(bit) & 1 == 1 { state ^= Self.generator[bit] }
            count += 1
        }

        /// Whether the added values are a whole text: data, and a matching checksum.
        var holds: Bool { state == Bech32m.constant && count > Bech32m.checksumCount }
    }
}
