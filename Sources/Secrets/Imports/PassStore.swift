public import VaultCrypto

/// Collects the decrypted files of the program `pass`.
///
/// The first line is the password. Lines `key: value` and `otpauth://…` that follow directly are read as fields. From
/// the first other line on, the text is a note, which is kept exactly.
public struct PassStore: ~Copyable {
    private var document: GrowingDocument
    private var files: [(name: String, range: Range<Int>, modified: Int64?)] = []
    private var refused: [RefusedEntry] = []

    /// Makes an empty store.
    public init() throws(ImportError) {
        document = try GrowingDocument()
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: The path below the store, without `.gpg`.
    ///   - text: The decrypted text.
    ///   - modified: Time of the last change, Unix seconds.
    /// - Throws: `tooLarge`.
    public mutating func add(
        _ name: String,
        _ text: borrowing some ByteSource & ~Copyable,
        modified: Int64? = nil
    ) throws(ImportError) {
        files.append((name, try document.append(text), modified))
    }

    /// Records a file that could not be opened.
    public mutating func refuse(_ name: String, _ reason: RefusedEntry.Reason) {
        refused.append(RefusedEntry(name, place: files.count + refused.count + 1, reason))
    }

    /// Reads the entries of all files.
    public consuming func finish() throws(ImportError) -> ImportDocument {
        let (files, refused) = (files, refused)
        var memory = document.finish()
        let found = try memory.withMutableBytes { span throws(ImportError) in
            try unsafe span.withUnsafeMutableBytes { memory throws(ImportError) in
                let bytes = unsafe DocumentBytes(memory)
                var found = Findings()
                for entry in refused { try found.refuse(entry.title, place: entry.place, entry.reason) }
                for (index, file) in files.enumerated() {
                    var candidate = Self.candidate(file.name, place: index + 1)
                    candidate.modified = file.modified
                    PassText(file.range, bytes).read(into: &candidate)
                    try found.take(candidate)
                }
                return found
            }
        }
        return ImportDocument(.pass, found, in: memory)
    }

    private static func candidate(_ name: String, place: Int) -> Candidate {
        let parts = name.split(separator: "/").map { String($0) }
        var candidate = Candidate(.login, parts.last ?? name, place: place)
        candidate.folder = parts.dropLast()
        return candidate
    }
}

/// The text of one file of `pass`.
struct PassText {
    private let bytes: DocumentBytes
    private let range: Range<Int>

    init(_ range: Range<Int>, _ bytes: DocumentBytes) {
        self.bytes = bytes
        self.range = range
    }

    /// Reads the lines into the fields of an entry.
    func read(into candidate: inout Candidate) {
        var rest = range
        // A file that begins like a key or a certificate has no password in its first line.
        guard !bytes.has("-----BEGIN ", at: range.lowerBound) || range.count < 11 else {
            candidate.kind = .note
            add(.note, range, to: &candidate)
            return
        }
        let first = line(of: &rest)
        if isOneTimePassword(first) {
            add(.oneTimePassword, bytes.trimmed(first), to: &candidate)
        } else {
            add(.password, first, to: &candidate)
        }
        var ahead = rest
        // One field stays free for the note, and one for a key of one-time passwords at its end.
        while !ahead.isEmpty, candidate.fields.count < ImportLimits.fields - 2 {
            let line = line(of: &ahead)
            if isOneTimePassword(line), candidate[.oneTimePassword] == nil {
                add(.oneTimePassword, bytes.trimmed(line), to: &candidate)
            } else if let (key, value) = pair(line), let role = role(of: key, in: candidate) {
                add(role, value, to: &candidate)
            } else {
                break
            }
            rest = ahead
        }
        readNote(rest, into: &candidate)
    }

    /// Reads the note, except an `otpauth:` line at its end, which `pass otp append` writes there.
    private func readNote(_ rest: Range<Int>, into candidate: inout Candidate) {
        var end = rest.upperBound
        while end > rest.lowerBound, isLineEnd(bytes[end - 1]) { end -= 1 }
        var start = end
        while start > rest.lowerBound, !isLineEnd(bytes[start - 1]) { start -= 1 }
        if isOneTimePassword(start..<end), candidate[.oneTimePassword] == nil {
            add(.oneTimePassword, bytes.trimmed(start..<end), to: &candidate)
            end = start
        }
        var note = rest.lowerBound..<end
        while !note.isEmpty, isLineEnd(bytes[note.upperBound - 1]) { note = note.dropLast(1) }
        while !note.isEmpty, isLineEnd(bytes[note.lowerBound]) { note = note.dropFirst(1) }
        add(.note, note, to: &candidate)
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private func add(_ role: FieldRole, _ value: Range<Int>, to candidate: inout Candidate) {
        guard !value.isEmpty else { return }
        let isHidden = role != .user && role != .url
        candidate.fields.append(CandidateField(role, value, isHidden: isHidden))
    }

    /// The next line without its end; `rest` then begins after it.
    private func line(of rest: inout Range<Int>) -> Range<Int> {
        let start = rest.lowerBound
        var end = start
        while end < rest.upperBound, bytes[end] != 0x0A { end += 1 }
        rest = min(end + 1, rest.upperBound)..<rest.upperBound
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    private func isOneTimePassword(_ line: Range<Int>) -> Bool {
        let text = bytes.trimmed(line)
        return text.count > 10 && bytes.has("otpauth://", at: text.lowerBound)
    }

    /// Reads `key: value`; the key has at most 40 letters, digits, blanks, dashes or underscores.
    private func pair(_ line: Range<Int>) -> (key: String, value: Range<Int>)? {
        guard let colon = line.prefix(41).first(where: { bytes[$0] == UInt8(ascii: ":") }),
            colon > line.lowerBound, let key = bytes.text(line.lowerBound..<colon),
            key.first?.isLetter == true,
            key.allSatisfy({ $0.isLetter || $0.isNumber || " -_".contains($0) })
        else { return nil }
        let value = bytes.trimmed(colon + 1..<line.upperBound)
        // An address has a colon, too. Another file may begin after this line, so its bytes must not be read.
        let isAddress = line.upperBound - colon > 2 && bytes.has("//", at: colon + 1)
        guard !value.isEmpty, !isAddress else { return nil }
        return (key, value)
    }

    /// The role of a key; nil if the entry already has the key, because a second value belongs into the note.
    private func role(of key: String, in candidate: Candidate) -> FieldRole? {
        let role: FieldRole =
            switch key.lowercased() {
            case "user", "username", "login", "email", "user name": .user
            case "url", "uri", "website", "site": .url
            case "otp", "totp", "otpauth": .oneTimePassword
            default: .named(key)
            }
        if candidate[role] == nil { return role }
        return candidate[.named(key)] == nil ? .named(key) : nil
    }
}
