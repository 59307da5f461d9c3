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

/// The form of several lines that other makers' servers ask for (RFC 4716).
extension PublicKey {
    private static let firstLine = Array("---- BEGIN SSH2 PUBLIC KEY ----".utf8)
    private static let lastLine = Array("---- END SSH2 PUBLIC KEY ----".utf8)
    private static let lineWidth = 70

    /// Reads the form of RFC 4716: lines of any width and either line break, headers kept only for the comment.
    ///
    /// - Throws: `SSHFormatError.noKey` without its first line; `truncated` without its last; `malformed` for a
    ///   header that goes on past the end; `malformedBase64`; and everything that `init(blob:comment:)` throws.
    public init(rfc4716 text: [UInt8]) throws(SSHFormatError) {
        guard text.count <= Self.longestLine else { throw .oversized(limit: Self.longestLine) }
        // Blanks at the ends count only where a header goes on in the next line.
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }[...]
        func place(of mark: [UInt8]) -> Int? {
            lines.firstIndex { $0.droppingBlankEnds().elementsEqual(mark) }
        }
        guard let start = place(of: Self.firstLine) else { throw .noKey }
        lines = lines[(start + 1)...]
        guard let end = place(of: Self.lastLine) else { throw .truncated }
        lines = lines[..<end]
        var comment: [UInt8] = []
        // A header has a colon; base64 never has.
        while let header = lines.first, header.contains(0x3A) {
            lines.removeFirst()
            var whole = Array(header)
            while whole.last == 0x5C {
                guard let next = lines.popFirst() else { throw .malformed }
                whole.removeLast()
                whole += next
            }
            if let value = Self.value(of: "comment", in: whole) { comment = value }
        }
        let base64 = lines.map { $0.droppingBlankEnds() }
        guard let blob = StrictBase64.decode(Array(base64.joined())) else { throw .malformedBase64 }
        guard !blob.isEmpty else { throw .noKey }
        try self.init(blob: blob, comment: comment)
    }

    /// The form of RFC 4716 with a line feed at the end; the comment in quotes, if there is one.
    ///
    /// A comment of more than 1,024 bytes cannot stand in a header and is left out.
    public var rfc4716: [UInt8] {
        var lines = [Self.firstLine]
        if !comment.isEmpty, comment.count <= 1024 {
            let header = Array("Comment: \"".utf8) + comment + [0x22]
            // A header line holds at most 72 bytes; a backslash at its end says that it goes on.
            lines += header.chunks(of: 71).map { Array($0) }
            for index in lines.indices.dropFirst().dropLast() { lines[index].append(0x5C) }
        }
        lines += StrictBase64.encodedBytes(blob).chunks(of: Self.lineWidth).map { Array($0) }
        lines.append(Self.lastLine)
        return Array(lines.map { $0 + [0x0A] }.joined())
    }

    /// The value of a header of this name, whatever its case, without quotes around it.
    private static func value(of name: String, in header: [UInt8]) -> [UInt8]? {
        guard let colon = header.firstIndex(of: 0x3A) else { return nil }
        let tag = String(decoding: header[..<colon].droppingBlankEnds(), as: UTF8.self)
        guard tag.lowercased() == name else { return nil }
        let value = header[(colon + 1)...].droppingBlankEnds()
        guard value.count >= 2, value.first == 0x22, value.last == 0x22 else { return Array(value) }
        return Array(value.dropFirst().dropLast())
    }
}

extension ArraySlice<UInt8> {
    /// Without blanks and carriage returns at both ends.
    func droppingBlankEnds() -> ArraySlice<UInt8> {
        var text = drop { $0.isBlank || $0 == 0x0D }
        while let last = text.last, last.isBlank || last == 0x0D { text.removeLast() }
        return text
    }
}

extension Array {
    /// The elements in pieces of `size`, the last one shorter.
    func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
