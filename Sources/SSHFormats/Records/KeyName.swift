/// The rules for a key's name in the vault.
///
/// The name can also be the name of its `.pub` file, and part of a path in ssh_config.
public enum KeyName {
    /// Bytes in the longest name.
    public static let longest = 100

    /// 1 to 100 bytes of letters, digits and `.` `_` `-` `@` `+`, not beginning with a dot or a dash.
    ///
    /// Letters and digits are those of any script.
    public static func isValid(_ name: String) -> Bool {
        guard (1...longest).contains(name.utf8.count), let first = name.unicodeScalars.first,
            first != ".", first != "-"
        else { return false }
        return name.unicodeScalars.allSatisfy(isAllowed)
    }

    /// The name with every other character replaced by a dash, cut to its longest; nil when nothing is left.
    public static func made(from text: String) -> String? {
        var name = ""
        for scalar in text.unicodeScalars {
            let next = isAllowed(scalar) ? String(scalar) : "-"
            guard name.utf8.count + next.utf8.count <= longest - 8 else { break }
            name += next
        }
        name = String(name.drop { $0 == "." || $0 == "-" })
        return isValid(name) ? name : nil
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else {
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "._-@+".unicodeScalars.contains(scalar)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .nonspacingMark, .spacingMark:
            return !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}
