internal import VaultCrypto

/// Reads the content of a record; a value that does not fit is `malformed`.
typealias ContentReader = SecretReader<HSIPError>

extension HSIPError: ContentFailure {
    package static var contentEnds: HSIPError { .malformed }

    package static func fieldTooLong(limit: Int) -> HSIPError { .malformed }
}

extension ContentReader {
    mutating func time() throws(HSIPError) -> UInt64 { UInt64(try uint32()) }

    mutating func optionalTime() throws(HSIPError) -> UInt64? {
        let value = try time()
        return value == 0 ? nil : value
    }

    /// Reads secret bytes from locked memory into locked memory.
    mutating func secret(_ count: Int) throws(HSIPError) -> Secret { Secret(try secret(count: count)) }

    mutating func short() throws(HSIPError) -> [UInt8] { try take(Int(try byte())) }

    mutating func long() throws(HSIPError) -> [UInt8] { try take(Int(try uint16())) }

    /// Reads UTF-8 text after one length byte.
    mutating func shortText() throws(HSIPError) -> String { try text(try short()) }

    /// Reads UTF-8 text after two length bytes.
    mutating func longText() throws(HSIPError) -> String { try text(try long()) }

    private func text(_ bytes: [UInt8]) throws(HSIPError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
        return text
    }

    mutating func bool() throws(HSIPError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    /// Reads the version of the record, from 1 to the highest version of its kind.
    @discardableResult
    mutating func version(upTo last: UInt8 = RecordContent.version) throws(HSIPError) -> UInt8 {
        let version = try byte()
        guard (RecordContent.version...last).contains(version) else { throw .unsupportedVersion }
        return version
    }

    /// Reads the version of a record, which is 2 if it contains something of suite 02, and returns its suite.
    mutating func suiteVersion() throws(HSIPError) -> Suite {
        try version(upTo: RecordContent.suiteTwoVersion) == RecordContent.suiteTwoVersion ? .two : .one
    }

    /// Reads the secret halves of the keys in an OFFER or ROTATE.
    mutating func oneTimeSecret(_ suite: Suite) throws(HSIPError) -> OneTimeSecret {
        OneTimeSecret(
            x25519: try secret(32),
            kemSeed: suite == .two ? try secret(MLKEM768.seedSize) : nil
        )
    }

    mutating func peer() throws(HSIPError) -> PeerID {
        guard let peer = PeerID(bytes: try take(32)) else { throw .malformed }
        return peer
    }

    func finish() throws(HSIPError) {
        guard isAtEnd else { throw .malformed }
    }
}

/// Writes the content of a record.
typealias ContentWriter = SecretWriter<HSIPError>

extension ContentWriter {
    /// Writes a time in Unix seconds; every time of the protocol fits 32 bits.
    mutating func time(_ value: UInt64) throws(HSIPError) { try number(UInt32(clamping: value)) }

    /// Writes a time that may be missing, which is written as 0.
    mutating func time(_ value: UInt64?) throws(HSIPError) { try time(value ?? 0) }

    /// Writes one length byte, then the bytes.
    mutating func short(_ bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count <= 255 else { throw .malformed }
        try byte(UInt8(bytes.count))
        try raw(bytes)
    }

    /// Writes two length bytes, then the bytes.
    mutating func long(_ bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count <= 65_535 else { throw .malformed }
        try number(UInt16(bytes.count))
        try raw(bytes)
    }
}
