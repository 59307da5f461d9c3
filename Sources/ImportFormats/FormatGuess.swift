internal import JSON

/// Finds out by its first bytes which program made an export.
enum FormatGuess {
    static func format(of bytes: DocumentBytes) -> ImportFormat? {
        var place = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
        while place < bytes.count, DocumentBytes.isBlank(bytes[place]) { place += 1 }
        guard place < bytes.count else { return nil }
        switch bytes[place] {
        case UInt8(ascii: "<"): return .kdbxXML
        case UInt8(ascii: "{"): return .bitwarden
        default: return try? PasswordTable.format(of: bytes)
        }
    }

    /// Which program made a JSON text; Bitwarden where nothing says another one.
    static func format(of root: JSONPlace, _ bytes: DocumentBytes) -> ImportFormat {
        if case .list = root.member("accounts", bytes) { return .onePassword }
        if case .object = root.member("vaults", bytes) { return .protonPass }
        return .bitwarden
    }
}
