internal import VaultCrypto

extension OneTimeKey {
    /// The parts of an address; the key itself is not copied, only its range is recorded.
    struct Parts {
        var type = ""
        var label = ""
        var secret: Range<Int>?
        var counter: Range<Int>?
        var values: [String: String] = [:]
    }

    static func parts(
        of text: borrowing some ByteSource & ~Copyable,
        _ range: Range<Int>
    ) throws(OneTimeError) -> Parts {
        try text.withBytes { text throws(OneTimeError) in
            var parts = Parts()
            let slash = end(of: range, in: text, before: 0x2F)
            let question = end(of: slash..<range.upperBound, in: text, before: 0x3F)
            parts.type = try word(text, range.lowerBound..<slash).lowercased()
            parts.label = try word(text, min(slash + 1, question)..<question)
            var start = min(question + 1, range.upperBound)
            while start < range.upperBound {
                let stop = end(of: start..<range.upperBound, in: text, before: 0x26)
                let equals = end(of: start..<stop, in: text, before: 0x3D)
                let name = try word(text, start..<equals).lowercased()
                let value = min(equals + 1, stop)..<stop
                start = stop + 1
                guard !name.isEmpty else { continue }
                if name == "secret" {
                    guard parts.secret == nil else { throw .malformed }
                    parts.secret = value
                } else {
                    if name == "counter" { parts.counter = value }
                    guard parts.values.updateValue(try word(text, value), forKey: name) == nil else {
                        throw .malformed
                    }
                }
            }
            return parts
        }
    }

    /// Decodes a public part of the address, with its `%XX` escapes.
    private static func word(_ text: borrowing RawSpan, _ range: Range<Int>) throws(OneTimeError) -> String {
        guard let bytes = PercentText.decode(range.map { text.byte(at: $0) }),
            let word = String(validating: bytes, as: UTF8.self)
        else { throw .malformed }
        return word
    }

    static func key(
        _ text: borrowing some ByteSource & ~Copyable,
        _ range: Range<Int>
    ) throws(OneTimeError) -> Secret {
        do throws(CryptoError) {
            // `=` is the only character of base32 that an address may have escaped.
            let plain = try PercentText.decode(try text.slice(range))
            guard let plain, let key = try Base32.decode(plain) else { return try Secret(copying: [UInt8]()) }
            return Secret(key)
        } catch {
            throw .outOfMemory
        }
    }

    /// The first position of a byte in a range; the end of the range if the byte does not occur.
    private static func end(of range: Range<Int>, in text: borrowing RawSpan, before byte: UInt8) -> Int {
        var place = range.lowerBound
        while place < range.upperBound, text.byte(at: place) != byte { place += 1 }
        return place
    }

    static func trimmed(_ text: borrowing RawSpan) -> Range<Int> {
        var (start, end) = (0, text.byteCount)
        while start < end, text.byte(at: start) <= 0x20 { start += 1 }
        while end > start, text.byte(at: end - 1) <= 0x20 { end -= 1 }
        return start..<end
    }
}

/// Base32 of keys (RFC 4648 section 6) as people copy it.
///
/// Either case, spaces, hyphens, and a text with or without padding are accepted.
enum Base32 {
    /// Decodes a text into locked memory; nil for invalid base32, and for remaining bits that are not zero.
    static func decode(_ text: borrowing some ByteSource & ~Copyable) throws(CryptoError) -> SecretBytes? {
        var bytes = try SecretBytes(count: text.count * 5 / 8)
        var count = 0
        var isWhole = true
        bytes.withMutableBytes { out in
            text.withBytes { text in
                var bits: UInt32 = 0
                var held = 0
                var isPadding = false
                for place in 0..<text.byteCount {
                    let byte = text.byte(at: place)
                    if byte == 0x20 || byte == 0x2D { continue }
                    if byte == 0x3D {
                        isPadding = true
                        continue
                    }
                    guard !isPadding, let value = value(byte) else {
                        isWhole = false
                        return
                    }
                    bits = bits << 5 | value
                    held += 5
                    if held >= 8 {
                        held -= 8
                        out.storeBytes(of: UInt8(bits >> UInt32(held)), toByteOffset: count, as: UInt8.self)
                        bits &= (1 << UInt32(held)) - 1
                        count += 1
                    }
                }
                // 5 or more remaining bits mean that the text has one letter too many.
                isWhole = held < 5 && bits == 0
            }
        }
        guard isWhole, count > 0 else { return nil }
        return try bytes.slice(0..<count)
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61)
        case 0x32...0x37: UInt32(byte - 0x32) + 26
        default: nil
        }
    }
}
