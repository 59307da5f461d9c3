internal import Text
internal import VaultCrypto

/// A line of JSON, and behind it a secret to the end: the form of a request to `hsip-hardware` and of its answer.
package struct HardwareMessage: Sendable {
    /// Most bytes of one.
    package static let limit = 16_384
    private static let lineFeed: UInt8 = 0x0A

    /// The line, which holds nothing secret.
    let json: JSONValue
    /// What follows the line.
    let secret: Secret?

    init(_ json: JSONValue, secret: Secret? = nil) {
        self.json = json
        self.secret = secret
    }

    /// Reads a message; nil if it is too long, has no line, or its line holds anything but a JSON object.
    ///
    /// - Throws: `outOfMemory`.
    init?(_ bytes: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        guard bytes.count <= Self.limit else { return nil }
        let line = bytes.withBytes { bytes -> [UInt8]? in
            let end = (0..<bytes.byteCount).first { bytes.byte(at: $0) == Self.lineFeed }
            return end.map { bytes.extracting(0..<$0).copied() }
        }
        guard let line, let json = try? JSONValue(line, JSONLimits(depth: 4)), case .object = json else {
            return nil
        }
        self.json = json
        let rest = line.count + 1..<bytes.count
        secret = rest.isEmpty ? nil : Secret(try bytes.slice(rest))
    }

    /// The bytes of the message, in locked memory.
    ///
    /// - Throws: `outOfMemory`.
    func encoded() throws(CryptoError) -> SecretBytes {
        // It has numbers, words and hex digits alone, which can always be written.
        let line = ((try? json.bytes()) ?? []) + [Self.lineFeed]
        guard let secret else { return try SecretBytes(copying: line) }
        return try SecretBytes.joined(line, secret)
    }
}

extension JSONValue {
    func number(_ name: String) -> UInt32? { self[name]?.integer.flatMap { UInt32(exactly: $0) } }
}
