internal import VaultCrypto

/// Joins public fields and secrets into locked memory: what is written is copied there once.
struct ByteWriter {
    private var pieces: [any ByteSource] = []
    private var open: [UInt8] = []
    /// How many bytes are written.
    private(set) var count = 0

    mutating func bytes(_ bytes: some Collection<UInt8>) {
        open += bytes
        count += bytes.count
    }

    mutating func number(_ number: some FixedWidthInteger) { bytes(number.bigEndianBytes) }

    /// A text after its length in two bytes; the caller has checked that it fits.
    mutating func short(_ text: some Collection<UInt8>) {
        number(UInt16(truncatingIfNeeded: text.count))
        bytes(text)
    }

    mutating func secret(_ secret: Secret) {
        if !open.isEmpty { pieces.append(open) }
        open = []
        pieces.append(secret)
        count += secret.count
    }

    /// What was written.
    consuming func finish() throws(LogError) -> Secret {
        let pieces = self.pieces + [open]
        return Secret(try primitives { () throws(CryptoError) in try SecretBytes.joined(pieces) })
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
