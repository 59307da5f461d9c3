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

    /// The name in these bytes; throws `malformed` unless they are 0...40 bytes of UTF-8 in NFC without a refused code
    /// point.
    ///
    /// NFC is that of the Unicode version that the Swift standard library knows; a code point newer
    /// than that passes as it is.
    public static func checked(_ bytes: [UInt8]) throws(HSIPError) -> String {
        guard bytes.count <= longest, let name = String(validating: bytes, as: UTF8.self), isClean(name)
        else { throw .malformed }
        return name
    }

    /// True for text in NFC without a refused code point, of any length, which is the rule for aliases and notes, too.
    public static func isClean(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in !refused.contains { $0.contains(scalar.value) } }
            && isNFC(text)
    }

    /// True if text has a visible character: a name of joiners or fillers alone would look empty.
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

    /// The name as encoded in a code: its length in one byte, then its UTF-8; throws `malformed` if refused.
    static func field(_ name: String) throws(HSIPError) -> [UInt8] {
        let bytes = Array(name.utf8)
        _ = try checked(bytes)
        return [UInt8(bytes.count)] + bytes
    }

    /// Whether the text is its own canonical composition.
    ///
    /// The quick check is not used, because it rejects some text that is in NFC.
    private static func isNFC(_ name: String) -> Bool {
        var span = name.utf8Span
        return span.checkForNFC(quickCheck: false)
    }
}

extension PeerName {
    /// A form in which names that look alike in simple ways are equal, for the warning `nameLooksAlike`.
    ///
    /// Compare the results with `==`, which is canonical equivalence. Default-ignorable scalars (ZWJ, ZWNJ, variation
    /// selectors, soft hyphen) are dropped, and a compatibility form in the table below becomes its plain form. Then
    /// Unicode's full mappings to upper case and then to lower case follow (so ß = ss, ﬁ = fi, ς = σ). At the end blanks at both ends are dropped, and every run of white space becomes one blank.
    ///
    /// This is the part of NFKC with case folding that names need: full-width ASCII, ligatures (by their case mapping),
    /// mathematical letters and digits, circled letters and digits, superscript and subscript digits. Half-width
    /// Katakana, Arabic presentation forms, fractions and units are unchanged. Confusables are not detected: a Cyrillic "а"
    /// stays different from a Latin "a".
    public static func folded(_ name: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
            plain.append(compatible(scalar))
        }
        let lower = String(plain).uppercased().lowercased()
        // Lower-casing ends a word with a final sigma; folding knows only one sigma.
        var folded = String.UnicodeScalarView()
        for scalar in lower.unicodeScalars { folded.append(scalar == "ς" ? "σ" : scalar) }
        return String(folded).split { $0.isWhitespace }.joined(separator: " ")
    }

    /// The plain form of a scalar that is only another shape of it.
    private static func compatible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let value = scalar.value
        let plain: UInt32? =
            switch value {
            case 0xFF01...0xFF5E: value - 0xFF01 + 0x21
            // Mathematical alphabets: thirteen of 52 letters, capitals first; then five sets of ten digits.
            case 0x1D400...0x1D6A3: letter((value - 0x1D400) % 52)
            case 0x1D7CE...0x1D7FF: 0x30 + (value - 0x1D7CE) % 10
            // The letters that these alphabets leave out because older code points have them.
            case 0x2102: 0x43
            case 0x210A: 0x67
            case 0x210B...0x210D: 0x48
            case 0x210E: 0x68
            case 0x2110, 0x2111: 0x49
            case 0x2112: 0x4C
            case 0x2113: 0x6C
            case 0x2115: 0x4E
            case 0x2119, 0x211A: value - 0x2119 + 0x50
            case 0x211B...0x211D: 0x52
            case 0x2124, 0x2128: 0x5A
            case 0x212C, 0x212D: value - 0x212C + 0x42
            case 0x212F: 0x65
            case 0x2130, 0x2131: value - 0x2130 + 0x45
            case 0x2133: 0x4D
            case 0x2134: 0x6F
            case 0x24B6...0x24CF: value - 0x24B6 + 0x41
            case 0x24D0...0x24E9: value - 0x24D0 + 0x61
            case 0x2460...0x2468: value - 0x2460 + 0x31
            case 0x00B9: 0x31
            case 0x00B2, 0x00B3: value - 0x00B2 + 0x32
            case 0x2070, 0x2074...0x2079: value - 0x2070 + 0x30
            case 0x2080...0x2089: value - 0x2080 + 0x30
            case 0x00AA: 0x61
            case 0x00BA: 0x6F
            default: nil
            }
        return plain.flatMap { Unicode.Scalar($0) } ?? scalar
    }

    private static func letter(_ index: UInt32) -> UInt32 {
        index < 26 ? 0x41 + index : 0x61 + index - 26
    }
}

/// The name I use for a contact.
public enum Alias {
    /// The longest alias in bytes of UTF-8.
    public static let longest = 64

    /// Whether an alias is visible text without white space at either end, without control or formatting characters,
    /// and unlike an option or path.
    public static func isValid(_ alias: String) -> Bool {
        guard PeerName.isVisible(alias), alias.utf8.count <= longest, alias.utf8.first != 0x2D else {
            return false
        }
        guard let first = alias.unicodeScalars.first, let last = alias.unicodeScalars.last,
            !first.properties.isWhitespace, !last.properties.isWhitespace
        else { return false }
        return PeerName.isClean(alias)
    }

    /// A suggested alias for a new contact: the sent name in lower case, else the start of the PeerID.
    public static func suggestion(sentName: String, peerID: PeerID) -> String {
        let trimmed = sentName.lowercased().split { $0.isWhitespace }.joined(separator: "-")
        return isValid(trimmed) ? trimmed : "peer-" + peerID.text.prefix(8).lowercased()
    }

    /// An alias that is not in use: the given name, or the name with the lowest free number, such as `alice-2`.
    ///
    /// - Parameters:
    ///   - name: The name to begin with.
    ///   - taken: The aliases of all contacts, including the trash.
    /// - Returns: An alias that is not in use.
    public static func free(like name: String, taken: Set<String>) -> String {
        var (proposal, number) = (name, 1)
        while taken.contains(proposal) {
            number += 1
            proposal = "\(name)-\(number)"
        }
        return proposal
    }
}
