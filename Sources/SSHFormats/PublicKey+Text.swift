internal import VaultCrypto

extension PublicKey {
    /// Reads the one-line form: type, base64, and whatever follows as the comment.
    ///
    /// Spaces and tabs may stand anywhere between the fields and around them, a line break at the end, and
    /// white space within the base64's own field cannot. Base64 is as strict as OpenSSH's: padded, no bits to
    /// spare.
    ///
    /// - Throws: `SSHFormatError.noKey` when a field is missing or the text has several lines;
    ///   `malformedBase64`; `typeMismatch` when the type before the base64 is not the one within; and
    ///   everything that `init(blob:comment:)` throws.
    public init(line: [UInt8]) throws(SSHFormatError) {
        guard line.count <= Self.longestLine else { throw .oversized(limit: Self.longestLine) }
        let text = line.droppingLineEnd()
        guard !text.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else { throw .noKey }
        var rest = text.drop { $0.isBlank }
        let name = rest.cutField()
        let base64 = rest.cutField()
        guard !name.isEmpty, !base64.isEmpty else { throw .noKey }
        guard let blob = StrictBase64.decode(base64) else { throw .malformedBase64 }
        try self.init(blob: blob, comment: Array(rest))
        guard Array(algorithm.name.utf8) == Array(name) else { throw .typeMismatch }
    }

    /// The one-line form without a line break: type, base64, and the comment if there is one.
    public var line: [UInt8] {
        let text = typeAndBase64
        return comment.isEmpty ? text : text + [0x20] + comment
    }

    /// Type and base64, as they stand in authorized_keys and known_hosts.
    public var typeAndBase64: [UInt8] {
        StrictBase64.encodedBytes(blob, after: Array(algorithm.name.utf8) + [0x20])
    }

    /// The longest text of a key: a blob of the longest size in base64, with room for type and comment.
    public static let longestLine = longestBlob * 2
}

extension UInt8 {
    /// Space or tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension Collection where Element == UInt8, SubSequence == ArraySlice<UInt8> {
    /// Without one line break at the end, of either kind.
    func droppingLineEnd() -> ArraySlice<UInt8> {
        var text = self[startIndex..<endIndex]
        if text.last == 0x0A { text.removeLast() }
        if text.last == 0x0D { text.removeLast() }
        return text
    }
}

extension ArraySlice<UInt8> {
    /// Takes everything up to the next blank, and the blanks after it, off the front.
    mutating func cutField() -> ArraySlice<UInt8> {
        let field = prefix { !$0.isBlank }
        self = self[field.endIndex...].drop { $0.isBlank }
        return field
    }
}
