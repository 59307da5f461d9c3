internal import VaultCrypto

/// Reads the fields of RFC 4251 section 5 from locked memory; secret fields stay in locked memory.
typealias SecretReader = VaultCrypto.SecretReader<SSHFormatError>

extension SSHFormatError: ContentFailure {
    package static var contentEnds: SSHFormatError { .truncated }

    package static func fieldTooLong(limit: Int) -> SSHFormatError { .oversized(limit: limit) }
}

extension SecretReader {
    /// Reads the next string as a name of printable ASCII.
    mutating func name() throws(SSHFormatError) -> String {
        let name = try string(limit: 64)
        guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformed }
        return String(decoding: name, as: UTF8.self)
    }

    /// Reads the next number, which must not be negative, in its shortest form.
    mutating func secretNumber() throws(SSHFormatError) -> Secret {
        let range = try field(limit: WireReader.longestNumber + 1)
        let (zeros, first) = withBytes(of: range) { span in
            let zeros = (0..<span.byteCount).prefix { span.byte(at: $0) == 0 }.count
            return (zeros, range.isEmpty ? 0 : span.byte(at: 0))
        }
        guard first < 0x80, range.count - zeros <= WireReader.longestNumber else { throw .badNumber }
        return Secret(try slice(range.dropFirst(zeros)))
    }

    /// Reads the next number as public bytes without leading zeros.
    mutating func number() throws(SSHFormatError) -> [UInt8] {
        let number = try secretNumber()
        return number.withBytes { $0.copied() }
    }
}

/// Writes the fields of RFC 4251 section 5 into locked memory.
typealias SecretWriter = VaultCrypto.SecretWriter<SSHFormatError>

extension SecretWriter {
    /// Writes a number that is not negative, in its shortest form.
    mutating func mpint(_ magnitude: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) {
        let size = magnitude.count
        let (zeros, first) = magnitude.withBytes { span in
            let zeros = (0..<size).prefix { span.byte(at: $0) == 0 }.count
            return (zeros, zeros < size ? span.byte(at: zeros) : 0)
        }
        try number(UInt32(clamping: size - zeros + (first >= 0x80 ? 1 : 0)))
        if first >= 0x80 { try byte(0) }
        try raw(try Self.slice(magnitude, zeros..<size))
    }

    private static func slice(
        _ bytes: borrowing some ByteSource & ~Copyable,
        _ range: Range<Int>
    ) throws(SSHFormatError) -> SecretBytes {
        do throws(CryptoError) { return try bytes.slice(range) } catch { throw SSHFormatError(error) }
    }
}
