internal import VaultCrypto

/// Reads a content from locked memory, first to last; what is secret stays where it is.
///
/// It compares a length with its limit and with what is left before it slices, so no input makes it trap or
/// allocate more than the input's own size.
struct ContentReader {
    private let bytes: Secret
    private var position = 0

    init(_ bytes: Secret) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// How many bytes of the next field are beyond the end; nil when it ends before that.
    var missing: Int? {
        var ahead = self
        guard let count = try? ahead.uint32(), Int(count) > bytes.count - ahead.position else { return nil }
        return Int(count) - (bytes.count - ahead.position)
    }

    mutating func byte() throws(CredentialError) -> UInt8 { UInt8(truncatingIfNeeded: try number(width: 1)) }

    mutating func uint32() throws(CredentialError) -> UInt32 {
        UInt32(truncatingIfNeeded: try number(width: 4))
    }

    mutating func uint64() throws(CredentialError) -> UInt64 { try number(width: 8) }

    /// How many of something there are.
    mutating func count(limit: Int) throws(CredentialError) -> Int {
        let count = Int(try uint32())
        guard count <= limit else { throw .malformed }
        return count
    }

    mutating func text(limit: Int) throws(CredentialError) -> String {
        let range = try field(limit: limit)
        let text = bytes.withBytes { String(validating: $0.extracting(range).copied(), as: UTF8.self) }
        guard let text else { throw .malformed }
        return text
    }

    mutating func secret(limit: Int) throws(CredentialError) -> Secret {
        let range = try field(limit: limit)
        do throws(CryptoError) {
            return try bytes.part(range)
        } catch {
            throw .malformed
        }
    }

    private mutating func field(limit: Int) throws(CredentialError) -> Range<Int> {
        let count = try count(limit: limit)
        guard count <= bytes.count - position else { throw .malformed }
        defer { position += count }
        return position..<position + count
    }

    private mutating func number(width: Int) throws(CredentialError) -> UInt64 {
        guard width <= bytes.count - position else { throw .malformed }
        defer { position += width }
        return bytes.withBytes { span in
            (position..<position + width).reduce(0) { $0 << 8 | UInt64(span.byte(at: $1)) }
        }
    }
}
