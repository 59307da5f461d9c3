internal import VaultCrypto

/// Writes what will be sealed, or hashed.
typealias LogWriter = SecretWriter<LogError>

extension LogWriter {
    /// A content of version 01 that begins with some bytes.
    static func object(_ bytes: [UInt8], capacity: Int = 1_024) throws(LogError) -> LogWriter {
        var writer = try LogWriter(capacity: capacity)
        try writer.raw([1] + bytes)
        return writer
    }

    /// A text after its length in two bytes; the caller has checked that it fits.
    mutating func short(_ text: some Collection<UInt8>) throws(LogError) {
        try number(UInt16(truncatingIfNeeded: text.count))
        try raw(Array(text))
    }
}

extension Secret {
    /// H(label ‖ these bytes): the joined bytes are never outside locked memory.
    func hash(_ label: LogLabel) throws(LogError) -> [UInt8] {
        let bytes = label.bytes
        return try primitives { () throws(CryptoError) in Hash.sha256(try SecretBytes.joined(bytes, self)) }
    }
}

/// Reads what was opened, from locked memory; whatever does not fit is `logTampered`.
typealias LogReader = SecretReader<LogError>

extension LogReader {
    mutating func identifier<Subject>() throws(LogError) -> Identifier<Subject> {
        Identifier(high: try uint64(), low: try uint64())
    }

    /// A text after its length in two bytes, UTF-8.
    mutating func text(limit: Int) throws(LogError) -> String {
        let count = Int(try uint16())
        guard count <= limit else { throw .fieldTooLong(limit: limit) }
        guard let text = String(validating: try take(count), as: UTF8.self) else {
            throw LogError(.logTampered)
        }
        return text
    }

    func finish() throws(LogError) {
        guard isAtEnd else { throw LogError(.logTampered) }
    }

    /// How many of something there are, at most `limit`.
    func checked(_ count: some FixedWidthInteger, limit: Int) throws(LogError) -> Int {
        guard let count = Int(exactly: count), count <= limit else { throw LogError(.logTooLarge) }
        return count
    }
}
