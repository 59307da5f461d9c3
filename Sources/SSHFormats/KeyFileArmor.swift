internal import VaultCrypto

/// Reads and writes the lines around the base64 of an OpenSSH key file.
///
/// All of it stays in locked memory, since a key without a passphrase is plaintext there.
enum KeyFileArmor {
    private static let first = Array("-----BEGIN OPENSSH PRIVATE KEY-----".utf8)
    private static let last = Array("-----END OPENSSH PRIVATE KEY-----".utf8)
    private static let lineWidth = 70

    /// Returns the bytes of the first key file in a text.
    ///
    /// Lines may have any width and either line ending.
    ///
    /// Text may precede the key, as in other PEM files. Only white space may follow it: a second key must not be
    /// dropped silently.
    static func decode(
        _ text: borrowing some ByteSource & ~Copyable
    ) throws(SSHFormatError) -> SecretBytes {
        let range = try text.withBytes { span throws(SSHFormatError) in
            guard let opening = line(first, in: span, from: 0) else { throw .noKey }
            guard let closing = line(last, in: span, from: opening.upperBound) else { throw .truncated }
            guard (closing.upperBound..<span.byteCount).allSatisfy({ isWhite(span.byte(at: $0)) }) else {
                throw .trailingBytes
            }
            return opening.upperBound..<closing.lowerBound
        }
        let base64 = try text.part(range)
        return try translating { () throws(PrimitiveError) in try SecretBase64.decode(wrapped: base64) }
    }

    /// Returns a key file with these bytes, with line widths as OpenSSH writes them.
    static func encode(
        _ bytes: borrowing some ByteSource & ~Copyable
    ) throws(SSHFormatError) -> SecretBytes {
        let base64 = try base64(bytes)
        var writer = try SecretWriter(capacity: base64.count + base64.count / lineWidth + 128)
        try writer.raw(first + [0x0A])
        for start in stride(from: 0, to: base64.count, by: lineWidth) {
            try writer.raw(try base64.part(start..<min(start + lineWidth, base64.count)))
            try writer.byte(0x0A)
        }
        try writer.raw(last + [0x0A])
        return try writer.finish()
    }

    private static func base64(
        _ bytes: borrowing some ByteSource & ~Copyable
    ) throws(SSHFormatError) -> SecretBytes {
        do throws(PrimitiveError) {
            return try SecretBase64.encode(bytes)
        } catch {
            throw SSHFormatError(error)
        }
    }

    /// Finds the next line from `start` on that contains only `mark` and blanks.
    ///
    /// Returns the start of that line and of the line after it.
    private static func line(_ mark: [UInt8], in span: RawSpan, from start: Int) -> Range<Int>? {
        var begin = start
        while begin < span.byteCount {
            var end = begin
            while end < span.byteCount, span.byte(at: end) != 0x0A { end += 1 }
            if isLine(mark, span.extracting(begin..<end)) { return begin..<min(end + 1, span.byteCount) }
            begin = end + 1
        }
        return nil
    }

    private static func isLine(_ mark: [UInt8], _ line: RawSpan) -> Bool {
        var (start, end) = (0, line.byteCount)
        while start < end, isWhite(line.byte(at: start)) { start += 1 }
        while end > start, isWhite(line.byte(at: end - 1)) { end -= 1 }
        guard end - start == mark.count else { return false }
        return mark.indices.allSatisfy { line.byte(at: start + $0) == mark[$0] }
    }

    private static func isWhite(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
