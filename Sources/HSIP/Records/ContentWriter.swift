internal import VaultCrypto

/// Writes the content of a record.
typealias ContentWriter = SecretWriter<HSIPError>

extension ContentWriter {
    /// A time in Unix seconds; every time of the protocol fits 32 bits.
    mutating func time(_ value: UInt64) throws(HSIPError) { try number(UInt32(clamping: value)) }

    /// A time that may be missing: 0.
    mutating func time(_ value: UInt64?) throws(HSIPError) { try time(value ?? 0) }

    /// One length byte, then the bytes.
    mutating func short(_ bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count <= 255 else { throw .malformed }
        try byte(UInt8(bytes.count))
        try raw(bytes)
    }

    /// Two length bytes, then the bytes.
    mutating func long(_ bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count <= 65_535 else { throw .malformed }
        try number(UInt16(bytes.count))
        try raw(bytes)
    }
}
