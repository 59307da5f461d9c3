public import VaultCrypto

/// A credential as a text that its owner edits (Schemas/credentials.md section 8).
///
/// First a head: lines `tags:` and `expires:`, and comments. Then the fields, each a line `--- NAME` and all lines up to
/// the next one as its value. A line of a value that would begin a field has a backslash before it.
public struct CredentialText: Sendable {
    /// The longest text that is read.
    public static let longest = 2 << 20

    /// A field as it stands in the text.
    struct Section {
        let name: String
        let line: Int
        /// Without line feeds at its end.
        let value: Secret
    }

    let tags: [String]?
    let expires: String?
    let sections: [Section]
    /// Whether there is anything in it but blanks.
    public let isEmpty: Bool

    /// Reads a text that was edited.
    ///
    /// - Throws: `malformed` with the line that is in no form.
    public init(reading text: Secret) throws(CredentialTextError) {
        var reader = CredentialTextReader(text)
        try reader.read()
        (tags, expires, sections) = (reader.tags, reader.expires, reader.sections)
        isEmpty = text.withBytes { span in (0..<span.byteCount).allSatisfy { span.byte(at: $0) <= 0x20 } }
    }

    /// The text of a credential, its version that counts.
    ///
    /// - Parameters:
    ///   - credential: Values that are not plain text are left out; a comment gives their number of bytes.
    ///   - comment: Lines for its owner, put before everything else.
    ///   - expires: Its end in words.
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

    /// Whether an editor gives a value back as it was: UTF-8 without control characters but line feeds and tabs.
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

/// Why a text is not a credential; never contains the text.
public enum CredentialTextError: Error, Equatable, Sendable {
    /// A line of the head, or the name of a field, is in no form.
    case malformed(line: Int)
    /// A field stands there twice.
    case twice(line: Int)
    /// A field has lost its value; to remove a field, a person removes its line.
    case emptyValue(line: Int)
    /// A field that is not edited as text has a value here.
    case notText(line: Int)
    case outOfMemory
}

/// What begins a field in the text: `--- `, with any number of backslashes where it is part of a value.
enum FieldMark {
    private static let letters = Array("--- ".utf8)

    /// How many backslashes precede a mark at this index; nil if there is no mark.
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
