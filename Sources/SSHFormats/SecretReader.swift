internal import VaultCrypto

/// Reads the fields of RFC 4251 section 5 from locked memory; what is secret stays in locked memory.
struct SecretReader {
    private let bytes: Secret
    private(set) var position = 0

    init(_ bytes: Secret) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count - position }

    mutating func byte() throws(SSHFormatError) -> UInt8 {
        guard remaining >= 1 else { throw .truncated }
        defer { position += 1 }
        return bytes.withBytes { $0.byte(at: position) }
    }

    mutating func uint32() throws(SSHFormatError) -> UInt32 {
        guard remaining >= 4 else { throw .truncated }
        var number: UInt32 = 0
        for _ in 0..<4 { number = number << 8 | UInt32(try byte()) }
        return number
    }

    /// The next string, of public bytes.
    mutating func string(limit: Int) throws(SSHFormatError) -> [UInt8] {
        let range = try field(limit: limit)
        return bytes.withBytes { $0.extracting(range).copied() }
    }

    /// The next string as a name of printable ASCII.
    mutating func name() throws(SSHFormatError) -> String {
        let name = try string(limit: 64)
        guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformed }
        return String(decoding: name, as: UTF8.self)
    }

    /// The next string, of secret bytes.
    mutating func secret(limit: Int) throws(SSHFormatError) -> SecretBytes {
        try slice(try field(limit: limit))
    }

    /// The next number, which is not negative, in its shortest form.
    mutating func secretNumber() throws(SSHFormatError) -> Secret {
        let range = try field(limit: WireReader.longestNumber + 1)
        let zeros = bytes.withBytes { span in
            range.prefix { span.byte(at: $0) == 0 }.count
        }
        guard range.isEmpty || zeros > 0 || bytes.withBytes({ $0.byte(at: range.lowerBound) < 0x80 }) else {
            throw .badNumber
        }
        guard range.count - zeros <= WireReader.longestNumber else { throw .badNumber }
        return Secret(try slice(range.dropFirst(zeros)))
    }

    /// The next number if it is public, without leading zeros.
    mutating func number() throws(SSHFormatError) -> [UInt8] {
        let number = try secretNumber()
        return number.withBytes { $0.copied() }
    }

    /// What lies between two places.
    func slice(_ range: Range<Int>) throws(SSHFormatError) -> SecretBytes {
        do throws(CryptoError) {
            return try bytes.slice(range)
        } catch {
            throw SSHFormatError(error)
        }
    }

    private mutating func field(limit: Int) throws(SSHFormatError) -> Range<Int> {
        let count = try uint32()
        guard count <= UInt32(clamping: limit) else { throw .oversized(limit: limit) }
        guard Int(count) <= remaining else { throw .truncated }
        defer { position += Int(count) }
        return position..<position + Int(count)
    }
}
