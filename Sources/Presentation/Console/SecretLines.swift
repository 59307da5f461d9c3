internal import System
package import Text
package import VaultCrypto

/// A title, a secret that is to be written down, and a remark, for a window of so many columns.
///
/// What does not fit goes on below: the remark first, then the secret under its title. A secret that is wider than the
/// window is broken after a hyphen; nothing of it is cut, and nothing is added to it.
package struct SecretLines {
    private static let margin = 2
    private static let gap = 9
    private static let hyphen = UInt8(ascii: "-")

    package let title: String
    package let remark: String
    /// Columns of the title with the blanks after it.
    private let column: Int

    package init(_ title: String, remark: String, column: Int = 15) {
        (self.title, self.remark, self.column) = (title, remark, column)
    }

    /// The lines, each with its line feed.
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

    /// Where lines of so many bytes end: after the last hyphen that fits, else where the window ends.
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
    /// The same for a secret text (a decrypted message): from locked memory to locked memory.
    ///
    /// Bytes that are no UTF-8 show as `\xff`.
    package func text(_ secret: borrowing some ByteSource & ~Copyable) throws(ConsoleError) -> SecretBytes {
        // The longest mark, ⟦U+10FFFF⟧, takes 14 bytes in place of at least one.
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
