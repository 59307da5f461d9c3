/// Base32 by Douglas Crockford: without I, L, O and U, so that a person can copy it by hand.
///
/// Bits are read most significant first, and zero bits fill up the last character.
public enum CrockfordBase32 {
    private static let symbols = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The first `bits` bits as upper-case characters of five bits each, for bytes that are not secret.
    ///
    /// `bits` must not exceed the number of bits.
    public static func encode(_ bytes: borrowing some ByteSource & ~Copyable, bits: Int) -> String {
        precondition(bits >= 0 && bits <= bytes.count * 8, "bits within the bytes")
        return bytes.withBytes { span in
            let characters = (0..<(bits + 4) / 5).map { symbol(at: $0, of: span, bits: bits) }
            return String(decoding: characters, as: UTF8.self)
        }
    }

    /// The bytes of a text of exactly `characters` characters; zero bits fill up the last byte.
    ///
    /// ASCII white space and `-` are ignored, case is folded, O counts as 0, I and L as 1.
    ///
    /// - Throws: `CryptoError.malformedText` for another character or another number of characters.
    public static func decode(
        _ text: borrowing some ByteSource & ~Copyable,
        characters: Int
    ) throws(CryptoError) -> [UInt8] {
        precondition(characters >= 0, "a count of characters")
        var output = [UInt8](repeating: 0, count: (characters * 5 + 7) / 8)
        var typed = output.mutableSpan
        var span = unsafe typed.mutableBytes
        try text.withBytes { text throws(CryptoError) in
            try decode(text, characters: characters, into: &span)
        }
        return output
    }

    /// The character for bits `5 * index ..< 5 * index + 5`; bits from `bits` on count as zero.
    static func symbol(at index: Int, of span: RawSpan, bits: Int) -> UInt8 {
        var value = 0
        for bit in index * 5..<index * 5 + 5 {
            let isSet = bit < bits && span.byte(at: bit / 8) >> UInt8(7 - bit % 8) & 1 == 1
            value = value << 1 | (isSet ? 1 : 0)
        }
        return symbols[value]
    }

    /// Decodes into memory of the caller, which must be zero and have room for all bits.
    static func decode(
        _ text: RawSpan,
        characters: Int,
        into output: inout MutableRawSpan
    ) throws(CryptoError) {
        var found = 0
        for offset in 0..<text.byteCount {
            let character = text.byte(at: offset)
            guard !isIgnored(character) else { continue }
            guard found < characters, let value = value(of: character) else { throw .malformedText }
            for bit in 0..<5 where value >> UInt8(4 - bit) & 1 == 1 {
                let place = found * 5 + bit
                let byte = output.bytes.byte(at: place / 8) | 0x80 >> UInt8(place % 8)
                output.storeBytes(of: byte, toByteOffset: place / 8, as: UInt8.self)
            }
            found += 1
        }
        guard found == characters else { throw .malformedText }
    }

    private static func isIgnored(_ character: UInt8) -> Bool {
        switch character {
        case 0x09...0x0D, 0x20, 0x2D: true
        default: false
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        let upper = (0x61...0x7A).contains(character) ? character - 0x20 : character
        switch upper {
        case 0x4F: return 0
        case 0x49, 0x4C: return 1
        default: return symbols.firstIndex(of: upper).map { UInt8($0) }
        }
    }
}
