internal import System
package import Text
package import VaultCrypto

/// Formats a title, a secret to write down, and a remark for a window of so many columns.
///
/// If they do not fit, the remark moves to a line below, then the secret moves below its title. A secret wider than
/// the window is broken after a hyphen; no character of it is removed or added.
package struct SecretLines {
    private static let margin = 2
    private static let gap = 9
    private static let hyphen = UInt8(ascii: "-")

    package let title: String
    package let remark: String
    /// The width of the title with the blanks after it.
    private let column: Int

    package init(_ title: String, remark: String, column: Int = 15) {
        (self.title, self.remark, self.column) = (title, remark, column)
    }

    /// Returns the lines, each with its line feed.
    package func text(_ secret: Secret, columns: Int) throws(CryptoError) -> SecretBytes {
        let margin = Self.blanks(Self.margin)
        let head = margin + title + Self.blanks(column - title.count)
        let fitsBeside = head.count + secret.count <= columns
        var pieces: [any ByteSource] = [Self.bytes(fitsBeside ? head : margin + title + "\n" + margin)]
        let breaks = fitsBeside ? [] : Self.breaks(in: secret, to: columns - Self.margin)
        var start = 0
        for end in breaks + [secret.count] {
            if start > 0 { pieces.append(Self.bytes("\n" + margin)) }
            pieces.append(try secret.part(start..<end))
            start = end
        }
        let used = fitsBeside ? head.count + secret.count : columns
        let indent = fitsBeside ? Self.blanks(head.count) : margin
        if used + Self.gap + remark.count <= columns {
            pieces.append(Self.bytes(Self.blanks(Self.gap) + remark + "\n"))
        } else {
            let lines = LineWrap.lines(indent + remark, to: columns)
            pieces.append(Self.bytes("\n" + lines.joined(separator: "\n") + "\n"))
        }
        return try SecretBytes.joined(pieces)
    }

    /// Returns the ends of lines of so many bytes: after the last hyphen that fits, otherwise at the edge of the
    /// window.
    private static func breaks(in secret: Secret, to width: Int) -> [Int] {
        secret.withBytes { bytes in
            var (ends, start, hyphen) = ([Int](), 0, 0)
            for place in 0..<bytes.byteCount {
                if place - start == max(1, width) {
                    start = hyphen > start ? hyphen : place
                    ends.append(start)
                }
                if bytes.byte(at: place) == Self.hyphen { hyphen = place + 1 }
            }
            return ends
        }
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension Display {
    /// Sanitises a secret text, such as a decrypted message, from locked memory to locked memory.
    ///
    /// Bytes that are not UTF-8 become `\xff`.
    package func text(_ secret: borrowing some ByteSource & ~Copyable) throws(ConsoleError) -> SecretBytes {
        // The longest mark, ⟦U+10FFFF⟧, has 14 bytes and replaces at least one.
        var out = try SecretBuffer(limit: secret.count * 14 + 14)
        var failure: ConsoleError?
        walk(secret, hasLines: true) { scalar, mark in
            do throws(ConsoleError) {
                if let mark {
                    for byte in mark.utf8 { try out.append(byte) }
                } else if let scalar {
                    for byte in UTF8.encode(scalar) ?? .init() { try out.append(byte) }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return try out.finish()
    }
}
