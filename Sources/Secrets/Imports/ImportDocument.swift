internal import Text
public import VaultCrypto

/// The content of an export: entries that can become records, entries that cannot, and the memory of all values.
///
/// Values are never copied out of that memory: a candidate has only ranges in it.
public struct ImportDocument: Sendable {
    /// The format that was read.
    public let format: ImportFormat
    /// The entries that can be imported, in the order of the export.
    public let candidates: [Candidate]
    /// The entries that cannot be imported.
    public let refused: [RefusedEntry]
    private let memory: Secret

    init(_ format: ImportFormat, _ found: Findings, in memory: consuming SecretBytes) {
        self.format = format
        candidates = found.candidates
        refused = found.refused
        self.memory = Secret(memory)
    }

    /// Reads an export that is one text.
    ///
    /// - Parameters:
    ///   - text: The export; its memory becomes the memory of the document.
    ///   - format: The format; nil to guess it from the content (`FormatGuess`).
    /// - Throws: `tooLarge`, `notText`, `malformed`, `encrypted` and the other cases of `ImportError`. An entry that cannot
    ///   be imported does not stop the others.
    public init(
        reading text: consuming SecretBytes,
        as format: ImportFormat? = nil
    ) throws(ImportError) {
        guard text.count <= ImportLimits.document else { throw .tooLarge }
        let (format, found) = try text.withMutableBytes { span throws(ImportError) in
            try unsafe span.withUnsafeMutableBytes { memory throws(ImportError) in
                try Self.read(unsafe DocumentBytes(memory), as: format)
            }
        }
        self.init(format, found, in: text)
    }

    private static func read(
        _ bytes: DocumentBytes,
        as wanted: ImportFormat?
    ) throws(ImportError) -> (ImportFormat, Findings) {
        guard !bytes.isBlank else { throw .empty }
        guard bytes.isText else { throw .notText }
        guard let format = wanted ?? FormatGuess.format(of: bytes) else { throw .unknownFormat }
        switch format {
        case .kdbxXML: return (format, try KeePassXML.read(bytes))
        case .bitwarden, .onePassword, .protonPass:
            // Texts are decoded in place, so the format is known only after reading.
            let root = try bytes.json()
            let format = wanted ?? FormatGuess.format(of: root, bytes)
            switch format {
            case .onePassword: return (format, try OnePassword.read(root, bytes))
            case .protonPass: return (format, try ProtonPass.read(root, bytes))
            default: return (format, try Bitwarden.read(root, bytes))
            }
        case .keepassxcCSV, .browserCSV, .csv: return (format, try PasswordTable.read(bytes))
        case .pass, .secretService: throw .unknownFormat
        }
    }

    /// The value of a field: a part of the document's memory, which lives as long as any part of it.
    public func secret(_ field: CandidateField) throws(ImportError) -> Secret {
        do throws(CryptoError) {
            let value = try memory.part(field.value)
            guard !field.before.isEmpty || !field.after.isEmpty else { return value }
            return Secret(
                try SecretBytes.joined(
                    [Array(field.before.utf8), value, Array(field.after.utf8)] as [any ByteSource]
                )
            )
        } catch {
            throw ImportError(error)
        }
    }

    /// Passes the bytes of a field to `body`, without the words around them.
    public func withBytes<R: ~Copyable, E: Error>(
        of field: CandidateField,
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try memory.withBytes { span throws(E) in try body(span.extracting(field.value)) }
    }

    /// The value of a field that is not secret, as a plain string; nil if it is not UTF-8.
    public func text(_ field: CandidateField) -> String? {
        let text = withBytes(of: field) { span in
            unsafe span.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        }
        return text.map { field.before + $0 + field.after }
    }

    /// The text of the first field with a role, which must not be secret; nil if there is none.
    public func text(_ role: FieldRole, of candidate: Candidate) -> String? {
        candidate[role].flatMap { text($0) }
    }
}

/// Recognises by its first bytes, or by its header, which program made an export.
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

    /// The program that made a JSON text; Bitwarden if nothing indicates another program.
    static func format(of root: JSONPlace, _ bytes: DocumentBytes) -> ImportFormat {
        if case .list = root.member("accounts", bytes) { return .onePassword }
        if case .object = root.member("vaults", bytes) { return .protonPass }
        return .bitwarden
    }
}
