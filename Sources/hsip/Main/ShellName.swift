/// Names that a shell can be offered as they are.
///
/// A contact's name may have come from another person, and bash *expands* the words that it completes: `$(…)` in a
/// name would be run when a key is pressed. So of ASCII only what no shell reads as anything else is let through.
/// Others are typed by hand, between quotes.
enum ShellName {
    /// Letters and digits of every script, and `. _ - / @ + ,` after the first character; single spaces between them,
    /// which shells set a backslash before.
    static func isPlain(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, isLetter(first), name.utf8.count <= 255 else {
            return false
        }
        guard !name.hasSuffix(" "), !name.contains("  ") else { return false }
        return name.unicodeScalars.dropFirst().allSatisfy {
            isLetter($0) || "._-/@+, ".unicodeScalars.contains($0)
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }
}
