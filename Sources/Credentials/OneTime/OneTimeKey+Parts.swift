internal import VaultCrypto

extension OneTimeKey {
    /// What an address says, but for the key, which stays where it is.
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

    /// A public part of the address, its `%XX` undone.
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

    /// Where a byte comes first, or the end.
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
