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
