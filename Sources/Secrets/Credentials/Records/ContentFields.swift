package import VaultCrypto

/// Reads a content from locked memory; invalid content throws `malformed`.
typealias ContentReader = SecretReader<CredentialError>

extension CredentialError: ContentFailure {
    package static var contentEnds: CredentialError { .malformed }

    package static func fieldTooLong(limit: Int) -> CredentialError { .malformed }

    package init(_ error: CryptoError) { self = error == .outOfMemory ? .outOfMemory : .malformed }
}

extension ContentReader {
    /// The number of bytes of the next field that are missing at the end; nil if the field is complete.
    var missing: Int? {
        var ahead = self
        guard let count = try? ahead.uint32(), Int(count) > ahead.remaining else { return nil }
        return Int(count) - ahead.remaining
    }

    /// Reads a number of elements.
    mutating func count(limit: Int) throws(CredentialError) -> Int {
        let count = Int(try uint32())
        guard count <= limit else { throw .malformed }
        return count
    }

    mutating func text(limit: Int) throws(CredentialError) -> String {
        guard let text = String(validating: try string(limit: limit), as: UTF8.self) else { throw .malformed }
        return text
    }
}

/// Writes the content of a record.
typealias ContentWriter = SecretWriter<CredentialError>

extension ContentWriter {
    /// Writes a text as UTF-8, with its length before it.
    mutating func text(_ text: String) throws(CredentialError) { try string(Array(text.utf8)) }

    /// Writes the number of elements.
    mutating func count(_ list: [some Any]) throws(CredentialError) {
        try number(UInt32(clamping: list.count))
    }
}
