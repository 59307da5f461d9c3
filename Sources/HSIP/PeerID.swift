public import VaultCrypto

/// The name of an identity: BLAKE3 of its Ed25519 public key, 32 bytes.
public struct PeerID: Hashable, Sendable, Comparable {
    /// The 32 bytes, which are compared; the text forms are for people.
    public let bytes: [UInt8]

    /// A PeerID from its 32 bytes; nil for any other length.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The PeerID of an Ed25519 public key (32 bytes).
    public init(publicKey: [UInt8]) throws(CryptoError) {
        guard publicKey.count == 32 else { throw .wrongSize(expected: 32, found: publicKey.count) }
        bytes = BLAKE3.hash(publicKey)
    }

    /// All 64 hexadecimal digits, lower case: the name in records.
    public var hex: String { Hex.encode(bytes) }

    /// The first 26 characters of RFC 4648 base32, upper case: the form shown to people (130 bits).
    public var text: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var out = ""
        var value: UInt32 = 0
        var bits = 0
        for byte in bytes {
            value = (value << 8 | UInt32(byte)) & 0xFFFF
            bits += 8
            while bits >= 5, out.count < 26 {
                bits -= 5
                out.append(alphabet[Int(value >> UInt32(bits)) & 31])
            }
        }
        return out
    }

    /// `sess_` and the first 8 bytes in hexadecimal: a name of the session, never a key.
    public var sessionID: String { "sess_" + Hex.encode(Array(bytes.prefix(8))) }

    /// Compares as unsigned bytes, first byte first.
    public static func < (a: PeerID, b: PeerID) -> Bool {
        a.bytes.lexicographicallyPrecedes(b.bytes)
    }
}

extension PeerID {
    /// The PeerID of the identity key inside a code; throws `malformed` if that is not 32 bytes.
    init(identity key: [UInt8]) throws(HSIPError) {
        do {
            try self.init(publicKey: key)
        } catch {
            throw .malformed
        }
    }
}
