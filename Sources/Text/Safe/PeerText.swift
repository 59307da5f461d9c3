internal import VaultCrypto

/// Decides for each scalar of a foreign text whether a terminal may show it unchanged.
///
/// A visible mark replaces everything that moves the cursor, changes the direction of writing, hides, or has no width.
/// Letters of every script pass, and emoji with their joiners.
package struct PeerText {
    /// True for text on several lines: line feed and tab pass.
    let hasLines: Bool
    let isASCII: Bool
    private var previous: Unicode.Scalar?
    private var marks = 0

    /// The most combining marks on one letter; more are not the spelling of a language.
    private static let maximumMarks = 4

    init(hasLines: Bool, isASCII: Bool) {
        self.hasLines = hasLines
        self.isASCII = isASCII
    }

    /// The mark for a byte that is not UTF-8.
    static func mark(byte: UInt8) -> String { "\\x" + hex(UInt32(byte), digits: 2) }

    /// The text to show instead of the scalar; nil if the scalar may be shown unchanged.
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

    /// `⟦U+202E⟧`, or `<U+202E>` if only ASCII can be shown.
    static func mark(_ scalar: Unicode.Scalar, isASCII: Bool) -> String {
        let name = "U+" + hex(scalar.value, digits: 4).uppercased()
        return isASCII ? "<\(name)>" : "⟦\(name)⟧"
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// True for direction controls, invisible and zero-width characters, tags, private and unassigned characters.
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
            // In a name, a narrow or no-break space could pass for an ordinary space; messages are not compared.
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

    /// True for letters of scripts (Arabic to Sinhala, Khmer) that spell with joiners and non-joiners.
    private static func joins(_ scalar: Unicode.Scalar?) -> Bool {
        guard let value = scalar?.value else { return false }
        return (0x0620...0x0DFF).contains(value) || (0x1780...0x17FF).contains(value)
    }

    /// True for an emoji that may be joined to another, or for its modifier or selector.
    private static func isPicture(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, scalar.value > 0xFF else { return false }
        return scalar.properties.isEmoji || scalar.value == 0xFE0F
    }
}

extension Unicode.Scalar {
    /// True for a scalar that no name in a vault may contain (Schemas/vault-file.md section 3).
    ///
    /// These are controls, marks of direction, line and paragraph separators, and the byte order mark. They make two names
    /// look alike.
    package var isForbiddenInNames: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069,
            0xFEFF:
            true
        default: false
        }
    }
}
