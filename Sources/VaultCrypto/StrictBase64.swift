/// Base64 in its canonical form only: standard alphabet, with padding (RFC 4648 section 4).
///
/// Each byte string has exactly one text. The code is fast because it uses tables: it serves ciphertext and other bytes
/// that are not secret, not keys.
public enum StrictBase64 {
    /// Encodes bytes as text.
    public static func encode(_ bytes: borrowing some ByteSource & ~Copyable) -> String {
        unsafe bytes.withPointer { source, count in
            unsafe String(unsafeUninitializedCapacity: encodedCount(count)) { target in
                guard let target = target.baseAddress else { return 0 }
                unsafe write(source, count, to: target)
                return encodedCount(count)
            }
        }
    }

    /// Encodes bytes as ASCII, after a prefix.
    public static func encodedBytes(
        _ bytes: borrowing some ByteSource & ~Copyable,
        after prefix: [UInt8] = []
    ) -> [UInt8] {
        unsafe bytes.withPointer { source, count in
            unsafe Array(count: prefix.count + encodedCount(count)) { target in
                for (offset, byte) in prefix.enumerated() { unsafe target[offset] = byte }
                unsafe write(source, count, to: target + prefix.count)
            }
        }
    }

    /// Decodes an ASCII text; nil unless it is exactly the text that `encode` writes.
    ///
    /// Other alphabets, missing or superfluous padding, unused bits that are not zero, and all white space are refused.
    public static func decode(_ text: borrowing some ByteSource & ~Copyable) -> [UInt8]? {
        unsafe text.withPointer { source, count -> [UInt8]? in
            guard count.isMultiple(of: 4) else { return nil }
            guard count > 0 else { return [] }
            let padding = unsafe source[count - 1] != pad ? 0 : source[count - 2] != pad ? 1 : 2
            let size = count / 4 * 3 - padding
            var isCanonical = false
            let bytes = unsafe [UInt8](count: size) { target in
                isCanonical = unsafe read(source, count / 4, padding, to: target)
            }
            return isCanonical ? bytes : nil
        }
    }

    private static let pad: UInt8 = 0x3D

    private static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    private static func write(
        _ source: UnsafePointer<UInt8>,
        _ count: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        unsafe Base64Tables.letters.withUnsafeBufferPointer { letters in
            var input = unsafe source
            var output = unsafe target
            for _ in 0..<count / 3 {
                let group = unsafe Int(input[0]) << 16 | Int(input[1]) << 8 | Int(input[2])
                unsafe output[0] = letters[group >> 18]
                unsafe output[1] = letters[group >> 12 & 63]
                unsafe output[2] = letters[group >> 6 & 63]
                unsafe output[3] = letters[group & 63]
                unsafe input += 3
                unsafe output += 4
            }
            let rest = count % 3
            guard rest > 0 else { return }
            let group = unsafe Int(input[0]) << 16 | (rest == 2 ? Int(input[1]) << 8 : 0)
            unsafe output[0] = letters[group >> 18]
            unsafe output[1] = letters[group >> 12 & 63]
            unsafe output[2] = rest == 2 ? letters[group >> 6 & 63] : pad
            unsafe output[3] = pad
        }
    }

    /// Decodes `groups` groups of four; the last group has `padding` pad characters.
    private static func read(
        _ source: UnsafePointer<UInt8>,
        _ groups: Int,
        _ padding: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        unsafe Base64Tables.values.withUnsafeBufferPointer { values in
            var input = unsafe source
            var output = unsafe target
            // Every value above 63 marks a character outside the alphabet; one test after the loop is enough.
            var seen: UInt32 = 0
            for _ in 0..<(padding == 0 ? groups : groups - 1) {
                let (a, b) = unsafe (UInt32(values[Int(input[0])]), UInt32(values[Int(input[1])]))
                let (c, d) = unsafe (UInt32(values[Int(input[2])]), UInt32(values[Int(input[3])]))
                seen |= a | b | c | d
                let group = a << 18 | b << 12 | c << 6 | d
                unsafe output[0] = UInt8(truncatingIfNeeded: group >> 16)
                unsafe output[1] = UInt8(truncatingIfNeeded: group >> 8)
                unsafe output[2] = UInt8(truncatingIfNeeded: group)
                unsafe input += 4
                unsafe output += 3
            }
            guard padding > 0 else { return seen < 64 }
            let (a, b) = unsafe (UInt32(values[Int(input[0])]), UInt32(values[Int(input[1])]))
            let c = unsafe padding == 1 ? UInt32(values[Int(input[2])]) : 0
            seen |= a | b | c
            unsafe output[0] = UInt8(truncatingIfNeeded: a << 2 | b >> 4)
            guard padding == 1 else { return seen < 64 && b & 15 == 0 }
            unsafe output[1] = UInt8(truncatingIfNeeded: b << 4 | c >> 2)
            return seen < 64 && c & 3 == 0
        }
    }
}

/// The alphabet of RFC 4648 section 4, in both directions.
enum Base64Tables {
    static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of every byte; 0xFF outside the alphabet.
    static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() {
            values[Int(letter)] = UInt8(value)
        }
        return values
    }()
}
