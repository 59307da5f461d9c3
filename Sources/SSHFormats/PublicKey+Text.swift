internal import VaultCrypto

extension PublicKey {
    /// Reads the one-line form: type, base64, and the rest of the line as the comment.
    ///
    /// Spaces and tabs may surround the fields, and a line break may end the line. White space inside the base64 is
    /// refused. Base64 is as strict as in OpenSSH: padded, without unused bits.
    ///
    /// - Throws: `SSHFormatError.noKey` if a field is missing or the text has several lines; `malformedBase64`;
    ///   `typeMismatch` if the type before the base64 differs from the type inside; the errors of
    ///   `init(blob:comment:)`.
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

    /// The one-line form without a line break: type, base64, and the comment if the key has one.
    public var line: [UInt8] {
        let text = typeAndBase64
        return comment.isEmpty ? text : text + [0x20] + comment
    }

    /// Type and base64, as in authorized_keys and known_hosts.
    public var typeAndBase64: [UInt8] {
        StrictBase64.encodedBytes(blob, after: Array(algorithm.name.utf8) + [0x20])
    }

    /// The size of the longest text of a key: the longest blob in base64, with room for type and comment.
    public static let longestLine = longestBlob * 2
}

extension UInt8 {
    /// Space or tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension Collection where Element == UInt8, SubSequence == ArraySlice<UInt8> {
    /// Removes one line break of either kind from the end.
    func droppingLineEnd() -> ArraySlice<UInt8> {
        var text = self[startIndex..<endIndex]
        if text.last == 0x0A { text.removeLast() }
        if text.last == 0x0D { text.removeLast() }
        return text
    }
}

extension ArraySlice<UInt8> {
    /// Removes everything up to the next blank, and the blanks after it, from the front, and returns it.
    mutating func cutField() -> ArraySlice<UInt8> {
        let field = prefix { !$0.isBlank }
        self = self[field.endIndex...].drop { $0.isBlank }
        return field
    }
}

/// The form with several lines that some other servers require (RFC 4716).
extension PublicKey {
    private static let firstLine = Array("---- BEGIN SSH2 PUBLIC KEY ----".utf8)
    private static let lastLine = Array("---- END SSH2 PUBLIC KEY ----".utf8)
    private static let lineWidth = 70

    /// Reads the form of RFC 4716: lines of any width with either line ending.
    ///
    /// Only the comment is kept from the headers.
    ///
    /// - Throws: `SSHFormatError.noKey` if the first line is missing; `truncated` if the last line is missing;
    ///   `malformed` for a header that continues after the end; `malformedBase64`; the errors of
    ///   `init(blob:comment:)`.
    public init(rfc4716 text: [UInt8]) throws(SSHFormatError) {
        guard text.count <= Self.longestLine else { throw .oversized(limit: Self.longestLine) }
        // Blanks at the end of a line matter only if a header continues in the next line.
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

    /// The form of RFC 4716 with a line feed at the end; a comment is quoted.
    ///
    /// A comment of more than 1,024 bytes does not fit into a header and is left out.
    public var rfc4716: [UInt8] {
        var lines = [Self.firstLine]
        if !comment.isEmpty, comment.count <= 1024 {
            let header = Array("Comment: \"".utf8) + comment + [0x22]
            // A header line has at most 72 bytes; a backslash at its end continues it in the next line.
            lines += header.chunks(of: 71).map { Array($0) }
            for index in lines.indices.dropFirst().dropLast() { lines[index].append(0x5C) }
        }
        lines += StrictBase64.encodedBytes(blob).chunks(of: Self.lineWidth).map { Array($0) }
        lines.append(Self.lastLine)
        return Array(lines.map { $0 + [0x0A] }.joined())
    }

    /// Returns the value of the header with this name, in any case, without quotes around it.
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
    /// Removes blanks and carriage returns from both ends.
    func droppingBlankEnds() -> ArraySlice<UInt8> {
        var text = drop { $0.isBlank || $0 == 0x0D }
        while let last = text.last, last.isBlank || last == 0x0D { text.removeLast() }
        return text
    }
}

extension Array {
    /// Splits the elements into pieces of `size`; the last one may be shorter.
    func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
