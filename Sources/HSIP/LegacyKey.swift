public import VaultCrypto

/// A 32-byte session key from an older HSIP program (Schemas/hsip-xc1.md section 9).
public enum LegacyKey {
    /// The number of bytes in such a key.
    public static let size = 32

    /// Reads a key from 64 hexadecimal digits or 44 characters of canonical base64; white space around them is ignored.
    ///
    /// - Throws: `malformed` for any other text; `keyRefused` as `check` does; `outOfMemory`.
    public static func read(_ text: borrowing some ByteSource & ~Copyable) throws(HSIPError) -> SecretBytes {
        let range = text.withBytes { trimmed($0) }
        if range.count == placeholder.count, text.withBytes({ isPlaceholder($0, range.lowerBound) }) {
            throw .keyRefused
        }
        let key: SecretBytes
        do {
            key = try SecretBytes(count: size) { (out) throws(CryptoError) in
                try text.withBytes { (bytes) throws(CryptoError) in
                    switch range.count {
                    case 64: try decodeHex(bytes, from: range.lowerBound, into: &out)
                    case 44: try decodeBase64(bytes, from: range.lowerBound, into: &out)
                    default: throw .malformedText
                    }
                }
            }
        } catch {
            throw HSIPError(error)
        }
        try check(key)
        return key
    }

    /// Refuses the keys that unfinished programs and tests use for everyone.
    ///
    /// They are 32 equal bytes (zeros too), bytes that count upwards by one, and printable ASCII filled up with zeros. The
    /// chance that a random key is refused is below 2^-45.
    ///
    /// - Throws: `keyRefused`; `malformed` if it is not 32 bytes long.
    public static func check(_ key: borrowing some ByteSource & ~Copyable) throws(HSIPError) {
        guard key.count == size else { throw .malformed }
        let isDummy = key.withBytes { bytes in
            var isConstant = true
            var isCounting = true
            var letters = 0
            var isText = true
            for offset in 0..<size {
                let byte = bytes.byte(at: offset)
                if offset > 0 {
                    let before = bytes.byte(at: offset - 1)
                    isConstant = isConstant && byte == before
                    isCounting = isCounting && byte == before &+ 1
                }
                if (0x20...0x7E).contains(byte), letters == offset { letters += 1 }
                isText = isText && (offset < letters || byte == 0)
            }
            return isConstant || isCounting || isText
        }
        if isDummy { throw .keyRefused }
    }

    /// The name of a legacy session's record: the first 32 hexadecimal digits of SHA256(L(legacy) ‖ key).
    ///
    /// The name identifies the key again, even after the key was wiped.
    ///
    /// - Throws: `outOfMemory`.
    public static func name(of key: borrowing some ByteSource & ~Copyable) throws(HSIPError) -> String {
        do {
            let input = try SecretBytes.joined(Label.legacy.bytes, key)
            return Hex.encode(Array(Hash.sha256(input).prefix(16)))
        } catch {
            throw HSIPError(error)
        }
    }

    /// The ref of a legacy session: the first 8 bytes of its name.
    ///
    /// - Throws: `outOfMemory`.
    public static func ref(of key: borrowing some ByteSource & ~Copyable) throws(HSIPError) -> [UInt8] {
        Array((Hex.decode(try name(of: key)) ?? []).prefix(8))
    }

    /// Reads the peer's PeerID, which is not secret, from 64 hexadecimal digits or canonical base64.
    ///
    /// - Throws: `malformed`.
    public static func readPeerID(_ text: [UInt8]) throws(HSIPError) -> PeerID {
        let bare = Array(TextTrim.trimmed(text[...]))
        let bytes =
            bare.count == 64 ? Hex.decode(String(decoding: bare, as: UTF8.self)) : StrictBase64.decode(bare)
        guard let bytes, let peer = PeerID(bytes: bytes) else { throw .malformed }
        return peer
    }

    /// True if an identity key (32 bytes) has a stored PeerID, which old programs filled at random.
    public static func isIdentity(_ publicKey: [UInt8], of peer: PeerID) -> Bool {
        guard let known = try? PeerID(publicKey: publicKey) else { return false }
        return known == peer
    }
}

/// Reads a key without a copy outside locked memory.
extension LegacyKey {
    /// The text that one old program stores instead of a key.
    static let placeholder = Array("TEMP_SESSION_KEY_BASE64".utf8)

    static func isPlaceholder(_ text: RawSpan, _ start: Int) -> Bool {
        placeholder.indices.allSatisfy { text.byte(at: start + $0) == placeholder[$0] }
    }

    /// The range without ASCII white space at the ends.
    static func trimmed(_ text: RawSpan) -> Range<Int> {
        var (start, end) = (0, text.byteCount)
        while start < end, isBlank(text.byte(at: start)) { start += 1 }
        while end > start, isBlank(text.byte(at: end - 1)) { end -= 1 }
        return start..<end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Decodes 64 digits in either case.
    static func decodeHex(_ text: RawSpan, from start: Int, into out: inout MutableRawSpan)
        throws(CryptoError)
    {
        for offset in 0..<size {
            guard let high = hexValue(text.byte(at: start + offset * 2)),
                let low = hexValue(text.byte(at: start + offset * 2 + 1))
            else { throw .malformedText }
            out.storeBytes(of: high << 4 | low, toByteOffset: offset, as: UInt8.self)
        }
    }

    /// Decodes 43 characters and one `=`; the two bits left over must be zero.
    static func decodeBase64(_ text: RawSpan, from start: Int, into out: inout MutableRawSpan)
        throws(CryptoError)
    {
        var bits: UInt32 = 0
        var held = 0
        var written = 0
        for offset in 0..<43 {
            guard let value = base64Value(text.byte(at: start + offset)) else { throw .malformedText }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            held += 6
            if held >= 8 {
                held -= 8
                out.storeBytes(
                    of: UInt8(truncatingIfNeeded: bits >> UInt32(held)),
                    toByteOffset: written,
                    as: UInt8.self
                )
                written += 1
            }
        }
        guard bits & 3 == 0, text.byte(at: start + 43) == 0x3D else { throw .malformedText }
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    private static func base64Value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x41...0x5A: digit - 0x41
        case 0x61...0x7A: digit - 0x61 + 26
        case 0x30...0x39: digit - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
