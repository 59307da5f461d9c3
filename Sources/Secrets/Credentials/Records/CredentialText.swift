public import VaultCrypto

/// A credential as a text that its owner edits (Schemas/credentials.md section 8).
///
/// The text begins with a head: lines `tags:` and `expires:`, and comments. The fields follow, each as a line `--- NAME`
/// and its value in all lines up to the next field. A backslash precedes a line of a value that would begin a field.
public struct CredentialText: Sendable {
    /// The longest text that is read, in bytes.
    public static let longest = 2 << 20

    /// A field in the text.
    struct Section {
        let name: String
        let line: Int
        /// The value without line feeds at its end.
        let value: Secret
    }

    let tags: [String]?
    let expires: String?
    let sections: [Section]
    /// Whether the text has only blanks.
    public let isEmpty: Bool

    /// Reads an edited text.
    ///
    /// - Throws: `malformed`, `twice`, each with the line; `outOfMemory`.
    public init(reading text: Secret) throws(CredentialTextError) {
        var reader = CredentialTextReader(text)
        try reader.read()
        (tags, expires, sections) = (reader.tags, reader.expires, reader.sections)
        isEmpty = text.withBytes { span in (0..<span.byteCount).allSatisfy { span.byte(at: $0) <= 0x20 } }
    }

    /// Writes the current version of a credential as a text.
    ///
    /// - Parameters:
    ///   - credential: The credential; values that are not plain text are left out, and a comment has their sizes.
    ///   - comment: Lines for the owner, before everything else.
    ///   - expires: The expiry in words.
    /// - Returns: The text in locked memory.
    /// - Throws: `CredentialError.outOfMemory`.
    public static func text(
        of credential: Credential,
        comment: [String],
        expires: String
    ) throws(CredentialError) -> SecretBytes {
        var pieces: [any ByteSource] = []
        func add(_ line: String) { pieces.append(Array("\(line)\n".utf8)) }
        for line in comment { add("# \(line)") }
        for field in credential.current.fields where !isEditable(field.value) {
            add("# \(field.name): \(field.value.count) bytes, not plain text; they do not change")
        }
        add("tags: \(credential.tags.joined(separator: ", "))")
        add("expires: \(expires)")
        for field in credential.current.fields where isEditable(field.value) {
            add("--- \(field.name)")
            guard field.value.count > 0 else { continue }
            pieces += try escaped(field.value)
            add("")
        }
        do throws(CryptoError) {
            return try SecretBytes.joined(pieces)
        } catch {
            throw .outOfMemory
        }
    }

    /// Whether an editor keeps a value unchanged: UTF-8 without control characters except line feeds and tabs.
    static func isEditable(_ value: Secret) -> Bool {
        value.withBytes { span in
            for place in 0..<span.byteCount {
                let byte = span.byte(at: place)
                if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F { return false }
            }
            return unsafe span.withUnsafeBytes { bytes in
                unsafe (try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)) != nil
            }
        }
    }

    /// The value with a backslash before every line that would begin a field.
    private static func escaped(_ value: Secret) throws(CredentialError) -> [any ByteSource] {
        let places = value.withBytes { span in
            (0..<span.byteCount).filter { place in
                (place == 0 || span.byte(at: place - 1) == 0x0A) && FieldMark.isAt(place, span)
            }
        }
        var pieces: [any ByteSource] = []
        var start = 0
        do throws(CryptoError) {
            for place in places {
                pieces.append(try value.part(start..<place))
                pieces.append([UInt8(ascii: "\\")])
                start = place
            }
            pieces.append(try value.part(start..<value.count))
        } catch {
            throw .outOfMemory
        }
        return pieces
    }
}

/// The reason why a text is not a credential; it never contains the text.
public enum CredentialTextError: Error, Equatable, Sendable {
    /// A line of the head, or the name of a field, is invalid.
    case malformed(line: Int)
    /// A field occurs twice.
    case twice(line: Int)
    /// A field has lost its value; to remove a field, a person removes its line.
    case emptyValue(line: Int)
    /// The text has a value for a field that cannot be edited as text.
    case notText(line: Int)
    case outOfMemory
}

/// The mark that begins a field in the text: `--- `; inside a value, backslashes precede it.
enum FieldMark {
    private static let letters = Array("--- ".utf8)

    /// The number of backslashes before a mark at this index; nil if there is no mark.
    static func backslashes(at place: Int, _ span: borrowing RawSpan) -> Int? {
        var end = place
        while end < span.byteCount, span.byte(at: end) == UInt8(ascii: "\\") { end += 1 }
        guard end + letters.count <= span.byteCount else { return nil }
        for offset in letters.indices where span.byte(at: end + offset) != letters[offset] { return nil }
        return end - place
    }

    static func isAt(_ place: Int, _ span: borrowing RawSpan) -> Bool {
        backslashes(at: place, span) != nil
    }
}
