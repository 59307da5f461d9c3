internal import VaultCrypto

/// The text form of a signature.
extension FileSignature {
    private static let firstLine = Array("-----BEGIN SSH SIGNATURE-----".utf8)
    private static let lastLine = Array("-----END SSH SIGNATURE-----".utf8)
    /// The width of a line in characters, as in `ssh-keygen`.
    private static let lineWidth = 70

    /// Reads the text form, which starts with the first line of the armor.
    ///
    /// Lines may have any width and either line ending.
    ///
    /// As in `ssh-keygen`, text after the last line is ignored.
    ///
    /// - Throws: `SSHFormatError.noSignature` if the first or last line is missing; `malformedBase64`; the errors of
    ///   `init(bytes:)`.
    public init(armored text: [UInt8]) throws(SSHFormatError) {
        guard text.starts(with: Self.firstLine) else { throw .noSignature }
        guard text.count <= 2 * Self.longest else { throw .oversized(limit: 2 * Self.longest) }
        let body = text.dropFirst(Self.firstLine.count)
        guard body.first == 0x0A || body.starts(with: [0x0D, 0x0A]), let end = Self.end(in: body) else {
            throw .noSignature
        }
        // OpenSSH skips all characters of isspace() within base64.
        let base64 = body[..<end].filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        guard let bytes = StrictBase64.decode(base64) else { throw .malformedBase64 }
        try self.init(bytes: bytes)
    }

    /// The text form as `ssh-keygen` writes it, byte for byte.
    public var armored: [UInt8] {
        var lines = [Self.firstLine]
        lines += StrictBase64.encodedBytes(bytes).chunks(of: Self.lineWidth).map { Array($0) }
        lines.append(Self.lastLine)
        return Array(lines.map { $0 + [0x0A] }.joined())
    }

    /// The index of the line feed before the last line.
    private static func end(in body: ArraySlice<UInt8>) -> Int? {
        var start = body.startIndex
        while let feed = body[start...].firstIndex(of: 0x0A) {
            if body[(feed + 1)...].starts(with: lastLine) { return feed }
            start = feed + 1
        }
        return nil
    }
}
