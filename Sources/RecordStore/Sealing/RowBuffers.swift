internal import VaultCrypto

/// Memory that is reused for every row of a scan, so that a scan allocates little.
struct RowBuffers: ~Copyable, Sendable {
    /// id 16 ‖ seal 80.
    var elementMessage = [UInt8](repeating: 0, count: RowID.size + SealedRow.sealSize)
    /// The buffer of the plaintext opened last; it may be longer than the plaintext.
    private(set) var plaintext: SecretBytes
    /// A secret while it is sealed; zero otherwise.
    private var packed: SecretBytes
    /// The largest packed secret whose memory is kept for the next one.
    private static let keptPacked = 4_096
    private var opening = [UInt8](repeating: 0, count: Envelope.openingSize)
    private var data = VaultLabel.meta.bytes + [UInt8](repeating: 0, count: RowID.size)
    private var ciphertext: [UInt8] = []

    init() throws(StoreError) {
        let first = try Self.memory(1_024)
        let second = try Self.memory(0)
        plaintext = first
        packed = second
    }

    /// Packs a secret and seals it under a fresh nonce; small secrets pass through the same memory each time.
    mutating func sealBody(
        _ body: Secret,
        key: Secret,
        authenticating data: [UInt8],
        entropy: Entropy
    ) throws(StoreError) -> (opening: [UInt8], ciphertext: [UInt8]) {
        let count = Padding.packedCount(body.count)
        if packed.count != count { packed = try Self.memory(count) }
        defer { packed.withMutableBytes { Padding.wipe(&$0) } }
        packed.withMutableBytes { Padding.pack(secret: body, into: &$0) }
        let box = try Envelope.seal(packed, key: key, authenticating: data, entropy: entropy)
        if count > Self.keptPacked { packed = try Self.memory(0) }
        return box
    }

    private static func memory(_ count: Int) throws(StoreError) -> SecretBytes {
        do { return try SecretBytes(count: count) } catch { throw StoreError(error) }
    }

    /// Opens a meta into `plaintext`; false if authentication fails.
    mutating func openMeta(
        id: RowID,
        opening seal: RawSpan,
        ciphertext meta: RawSpan,
        key: Secret
    ) throws(StoreError) -> Bool {
        let count = meta.byteCount
        opening.overwrite(at: 0, with: seal.extracting(0..<Envelope.openingSize))
        id.store(in: &data, at: data.count - RowID.size)
        if ciphertext.count < count { ciphertext = Array(repeating: 0, count: count) }
        ciphertext.overwrite(at: 0, with: meta)
        do {
            if plaintext.count < count { plaintext = try SecretBytes(count: count) }
            try decrypt(count, key)
            return true
        } catch .authenticationFailed {
            return false
        } catch {
            throw StoreError(error)
        }
    }

    private mutating func decrypt(_ count: Int, _ key: Secret) throws(CryptoError) {
        let (nonce, tag) = (opening[..<XChaCha20Poly1305.nonceSize], opening[XChaCha20Poly1305.nonceSize...])
        let (bytes, data) = (ciphertext[..<count], data)
        try plaintext.withMutableBytes { output throws(CryptoError) in
            var target = output._mutatingExtracting(first: count)
            try XChaCha20Poly1305.open(
                bytes,
                tag: tag,
                key: key,
                nonce: nonce,
                authenticating: data,
                into: &target
            )
        }
    }
}

/// The contribution of one row to the sum of its lane: a keyed hash of the row's id and seals.
///
/// Sums are XOR. That is safe only because nobody sees a sum: they are encrypted in the head
/// (Schemas/vault-file.md section 4, "Argument").
package struct Element: Hashable, Sendable {
    /// Size in bytes.
    static let size = 16
    /// The sum of no rows.
    static let zero = Element(high: 0, low: 0)

    private(set) var high: UInt64
    private(set) var low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The 16 bytes at `offset`, which must exist.
    init(_ bytes: RawSpan, at offset: Int) {
        high = UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        low = UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }

    /// The 16 bytes.
    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        store(in: &bytes, at: 0)
        return bytes
    }

    /// Writes the 16 bytes into an array, from `offset` on.
    func store(in bytes: inout [UInt8], at offset: Int) {
        bytes.store(bigEndian: high, at: offset)
        bytes.store(bigEndian: low, at: offset + 8)
    }

    /// Adds a row to a sum, or removes the row from it.
    static func ^= (sum: inout Self, element: Self) {
        sum.high ^= element.high
        sum.low ^= element.low
    }
}
