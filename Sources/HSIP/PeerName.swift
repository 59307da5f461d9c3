/// The rules for the name that people send in an offer or answer (Schemas/hsip-xc1.md section 3).
public enum PeerName {
    /// The longest name, in bytes of UTF-8.
    public static let longest = 40

    /// Code points that could hide, reverse or fake text: controls, direction marks, zero-width and tags.
    ///
    /// ZWNJ (200C) and ZWJ (200D) are allowed: Persian and emoji need them.
    private static let refused: [ClosedRange<UInt32>] = [
        0x0000...0x001F, 0x007F...0x009F, 0x061C...0x061C, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E,
        0x2060...0x2069, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F,
    ]

    /// The name in these bytes; `malformed` unless it is 0...40 bytes of UTF-8 in NFC without a refused code
    /// point.
    ///
    /// NFC is that of the Unicode version that the Swift standard library knows; a code point newer
    /// than that passes as it is.
    public static func checked(_ bytes: [UInt8]) throws(HSIPError) -> String {
        guard bytes.count <= longest, let name = String(validating: bytes, as: UTF8.self), isClean(name)
        else { throw .malformed }
        return name
    }

    /// In NFC and without a refused code point, whatever its length: the rule for aliases and notes, too.
    public static func isClean(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in !refused.contains { $0.contains(scalar.value) } }
            && isNFC(text)
    }

    /// Whether anything of a text can be seen: a name of joiners or fillers alone would look like no name.
    public static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            guard !scalar.properties.isDefaultIgnorableCodePoint, !blanks.contains(scalar) else {
                return false
            }
            return switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator,
                .spaceSeparator, .nonspacingMark, .enclosingMark:
                false
            default: true
            }
        }
    }

    /// Symbols that are drawn as nothing: the empty Braille pattern, the null notehead.
    private static let blanks: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}"]

    /// Whether a name may be sent.
    public static func isValid(_ name: String) -> Bool {
        (try? checked(Array(name.utf8))) != nil
    }

    /// The name as it stands in a code: its length in one byte, then its UTF-8; `malformed` if refused.
    static func field(_ name: String) throws(HSIPError) -> [UInt8] {
        let bytes = Array(name.utf8)
        _ = try checked(bytes)
        return [UInt8(bytes.count)] + bytes
    }

    /// Whether the text is its own canonical composition.
    ///
    /// Not the quick check: it answers "no" for some text that is in NFC.
    private static func isNFC(_ name: String) -> Bool {
        var span = name.utf8Span
        return span.checkForNFC(quickCheck: false)
    }
}
