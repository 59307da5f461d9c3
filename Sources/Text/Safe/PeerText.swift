internal import VaultCrypto

/// Decides, scalar by scalar, what of a text from outside a terminal may see as it is.
///
/// Everything that moves the cursor, changes the direction of writing, hides, or takes no space is replaced
/// by a visible mark. Letters of every script, and emoji with their joiners, pass.
package struct PeerText {
    /// Text on several lines: line feed and tab pass.
    let hasLines: Bool
    let isASCII: Bool
    private var previous: Unicode.Scalar?
    private var marks = 0

    /// More combining marks than this on one letter are a tower, not a language.
    private static let maximumMarks = 4

    init(hasLines: Bool, isASCII: Bool) {
        self.hasLines = hasLines
        self.isASCII = isASCII
    }

    /// The mark for a byte that is no UTF-8.
    static func mark(byte: UInt8) -> String { "\\x" + hex(UInt32(byte), digits: 2) }

    /// What to show in place of the scalar; nil when it may stand as it is.
    mutating func mark(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> String? {
        defer { previous = scalar }
        switch scalar.value {
        case 0x0A where hasLines, 0x09 where hasLines: return nil
        case 0x0D where hasLines && next == "\n": return ""
        case 0x1B: return isASCII ? "\\x1b" : "␛"
        case 0x00...0x1F, 0x7F...0x9F: return Self.mark(byte: UInt8(scalar.value))
        case 0x20...0x7E: return nil
        default: break
        }
        if isASCII || isHidden(scalar, before: next) || isTower(scalar) {
            return Self.mark(scalar, isASCII: isASCII)
        }
        return nil
    }

    /// `⟦U+202E⟧`, or `<U+202E>` where only ASCII can be shown.
    static func mark(_ scalar: Unicode.Scalar, isASCII: Bool) -> String {
        let name = "U+" + hex(scalar.value, digits: 4).uppercased()
        return isASCII ? "<\(name)>" : "⟦\(name)⟧"
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Direction controls, invisible and zero-width characters, tags, private and unassigned ones.
    private func isHidden(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        switch scalar.value {
        case 0x200D where Self.isPicture(previous) && Self.isPicture(next):
            return false
        case 0x200C...0x200D where hasLines && Self.joins(previous) && Self.joins(next):
            return false
        case 0xFE0E, 0xFE0F:
            return !(Self.isPicture(previous) || next == "\u{20E3}")
        case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x2800, 0x3164, 0xFFA0, 0xFE00...0xFE0D,
            0xE0000...0xE0FFF:
            return true
        default:
            break
        }
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate, .control:
            return true
        case .spaceSeparator:
            // In a name a narrow or no-break space looks like the space it is not; a message is not compared.
            return !hasLines && scalar != "\u{3000}"
        default:
            return false
        }
    }

    private mutating func isTower(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark:
            marks += 1
            return marks > Self.maximumMarks || previous == nil || (hasLines && previous == "\n")
        default:
            marks = 0
            return false
        }
    }

    /// Letters of scripts (Arabic to Sinhala, Khmer) that spell with joiners and non-joiners.
    private static func joins(_ scalar: Unicode.Scalar?) -> Bool {
        guard let value = scalar?.value else { return false }
        return (0x0620...0x0DFF).contains(value) || (0x1780...0x17FF).contains(value)
    }

    /// An emoji that may be joined to another, or its modifier or selector.
    private static func isPicture(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, scalar.value > 0xFF else { return false }
        return scalar.properties.isEmoji || scalar.value == 0xFE0F
    }
}

extension Unicode.Scalar {
    /// Whether no name of anything in a vault may hold it: controls, marks of direction, line and paragraph separators,
    /// and the byte order mark (Schemas/vault-file.md section 3).
    ///
    /// They make two names look alike, or one name look like another.
    package var isForbiddenInNames: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069,
            0xFEFF:
            true
        default: false
        }
    }
}
