public import VaultCrypto

/// The files of the program `pass`, decrypted: the first line is the password, then lines `key: value` and
/// `otpauth://…`, then anything.
///
/// Only the lines right after the password are read as fields: from the first line that is none of them on, all
/// the rest is a note, to the letter.
public struct PassStore: ~Copyable {
    private var document: GrowingDocument
    private var files: [(name: String, range: Range<Int>, modified: Int64?)] = []
    private var refused: [RefusedEntry] = []

    /// Nothing yet.
    public init() throws(ImportError) {
        document = try GrowingDocument()
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its path below the store, without `.gpg`.
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

    /// Names a file that could not be opened.
    public mutating func refuse(_ name: String, _ reason: RefusedEntry.Reason) {
        refused.append(RefusedEntry(name, place: files.count + refused.count + 1, reason))
    }

    /// The entries found.
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
