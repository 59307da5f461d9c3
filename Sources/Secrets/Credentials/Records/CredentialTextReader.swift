internal import VaultCrypto

/// Reads an edited text line by line, without copying secrets.
struct CredentialTextReader {
    private(set) var tags: [String]?
    private(set) var expires: String?
    private(set) var sections: [CredentialText.Section] = []

    private let text: Secret
    private var line = 0
    /// The field whose value is being read; `pieces` has its lines so far, with their line feeds.
    private var open: (name: String, line: Int)?
    private var pieces: [Range<Int>] = []

    init(_ text: Secret) { self.text = text }

    mutating func read() throws(CredentialTextError) {
        var start = 0
        while start < text.count {
            line += 1
            let (end, backslashes) = look(at: start)
            if backslashes == 0 {
                try close()
                open = (try name(start + 4..<end), line)
            } else if open != nil {
                // One backslash was inserted before it.
                pieces.append((backslashes == nil ? start : start + 1)..<min(end + 1, text.count))
            } else {
                try readHead(start..<end)
            }
            start = end + 1
        }
        try close()
    }

    /// The end of a line, and the number of backslashes before a mark at its start.
    private func look(at start: Int) -> (end: Int, backslashes: Int?) {
        text.withBytes { span in
            var end = start
            while end < span.byteCount, span.byte(at: end) != 0x0A { end += 1 }
            return (end, FieldMark.backslashes(at: start, span.extracting(0..<end)))
        }
    }

    private func words(_ range: Range<Int>) throws(CredentialTextError) -> String {
        let words = text.withBytes { String(validating: $0.extracting(range).copied(), as: UTF8.self) }
        guard let words else { throw .malformed(line: line) }
        return Self.trimmed(words)
    }

    private func name(_ range: Range<Int>) throws(CredentialTextError) -> String {
        let name = try words(range)
        guard CredentialField.isName(name) else { throw .malformed(line: line) }
        guard !sections.contains(where: { $0.name == name }) else { throw .twice(line: line) }
        return name
    }

    private mutating func readHead(_ range: Range<Int>) throws(CredentialTextError) {
        let words = try words(range)
        guard !words.isEmpty, !words.hasPrefix("#") else { return }
        guard let colon = words.firstIndex(of: ":") else { throw .malformed(line: line) }
        let value = Self.trimmed(String(words[words.index(after: colon)...]))
        switch words[..<colon] {
        case "tags" where tags == nil:
            let list = value.split(separator: ",").map { Self.trimmed(String($0)) }.filter { !$0.isEmpty }
            guard list.allSatisfy(Credential.isTag) else { throw .malformed(line: line) }
            tags = list
        case "expires" where expires == nil: expires = value
        default: throw .malformed(line: line)
        }
    }

    private mutating func close() throws(CredentialTextError) {
        defer { (open, pieces) = (nil, []) }
        guard let open else { return }
        do throws(CryptoError) {
            var value = Secret(
                try SecretBytes.joined(try pieces.map { (piece) throws(CryptoError) in try text.part(piece) })
            )
            value = try value.part(0..<Self.end(of: value))
            sections.append(CredentialText.Section(name: open.name, line: open.line, value: value))
        } catch {
            throw .outOfMemory
        }
    }

    /// The length of a value without the line feeds at its end.
    static func end(of value: Secret) -> Int {
        value.withBytes { span in
            var end = span.byteCount
            while end > 0, span.byte(at: end - 1) == 0x0A { end -= 1 }
            return end
        }
    }

    private static func trimmed(_ text: String) -> String {
        var rest = Substring(text)
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}
