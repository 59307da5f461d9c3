package import VaultCrypto

/// The new epoch key, sealed to each machine that is to have it, among boxes that open for none.
///
/// Boxes ascend by their bytes and are filled up to a multiple of eight, so the server learns neither who they are for nor how
/// many machines there are exactly.
package struct KeyBoxes: Sendable {
    private static let boxSize = EpochKey.size + XChaCha20Poly1305.tagSize
    private static let headSize = 32 + checkSize + 2
    private static let checkSize = 16
    private static let group = 8

    /// The X25519 key of this rekey alone.
    package let ephemeral: [UInt8]
    /// What the key must yield.
    let check: [UInt8]
    /// Each 48 bytes.
    package let boxes: [[UInt8]]

    /// Bytes of all of it.
    var byteCount: Int { Self.headSize + boxes.count * Self.boxSize }
    /// The bytes between nonce and ciphertext.
    var encoded: [UInt8] {
        ephemeral + check + UInt16(truncatingIfNeeded: boxes.count).bigEndianBytes + boxes.joined()
    }

    /// Reads them from the front of what follows the nonce.
    ///
    /// - Throws: `malformed` for another form; `logTooLarge` for more boxes than machines.
    init(_ bytes: ArraySlice<UInt8>) throws(LogError) {
        guard bytes.count >= Self.headSize else { throw LogError(.malformed) }
        let start = bytes.startIndex
        ephemeral = Array(bytes[start..<start + 32])
        check = Array(bytes[start + 32..<start + 48])
        let count = Int(bytes[start + 48]) << 8 | Int(bytes[start + 49])
        guard count <= LogLimits.machines else { throw LogError(.logTooLarge) }
        guard count > 0, count.isMultiple(of: Self.group),
            bytes.count - Self.headSize >= count * Self.boxSize
        else { throw LogError(.malformed) }
        let first = start + Self.headSize
        boxes = (0..<count).map {
            Array(bytes[first + $0 * Self.boxSize..<first + ($0 + 1) * Self.boxSize])
        }
        guard zip(boxes, boxes.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }) else {
            throw LogError(.malformed)
        }
    }

    /// Seals a new key to machines.
    ///
    /// - Throws: `badKey` for a box key of low order; `outOfMemory`.
    init(
        _ key: Secret,
        to members: some Collection<Member>,
        clear: [UInt8],
        log: LogID,
        epoch: UInt32,
        entropy: Entropy
    ) throws(LogError) {
        var boxes: [[UInt8]] = []
        do throws(CryptoError) {
            let secret = Secret(try entropy.secret(32))
            let ephemeral = try KeyAgreement.publicKey(of: secret)
            for member in members {
                let shared = try KeyAgreement.sharedSecret(secret, with: member.boxKey)
                let prk = try Self.extract(shared, clear, ephemeral)
                let sealed = try XChaCha20Poly1305.seal(
                    key,
                    key: try Self.key(prk, member.id),
                    nonce: Self.nonce,
                    authenticating: LogLabel.box.bytes
                )
                boxes.append(sealed.ciphertext + sealed.tag)
            }
            self.ephemeral = ephemeral
        } catch {
            throw LogError(error)
        }
        while boxes.isEmpty || !boxes.count.isMultiple(of: Self.group) {
            boxes.append(entropy.bytes(Self.boxSize))
        }
        self.boxes = boxes.sorted { $0.lexicographicallyPrecedes($1) }
        check = try EpochKey.check(key, log: log, epoch: epoch)
    }

    /// The epoch key in the box of this machine; nil when none is for it.
    ///
    /// - Throws: `badKey` for an ephemeral key of low order; `logTampered` when the key is not the one that the rekey commits
    ///   to; `outOfMemory`.
    package func key(
        for machine: MachineID,
        _ boxSecret: Secret,
        in frame: EntryFrame
    ) throws(LogError) -> Secret? {
        let key: SecretBytes
        do throws(CryptoError) {
            let shared = try KeyAgreement.sharedSecret(boxSecret, with: ephemeral)
            key = try Self.key(try Self.extract(shared, Array(frame.clear), ephemeral), machine)
        } catch {
            throw LogError(error)
        }
        for box in boxes {
            if let found = try Self.opened(box, key) { return try checked(found, in: frame) }
        }
        return nil
    }

    /// A key that came otherwise, if the rekey commits to it.
    ///
    /// - Throws: `logTampered`.
    func checked(_ key: Secret, in frame: EntryFrame) throws(LogError) -> Secret {
        guard
            key.count == EpochKey.size,
            ConstantTime.equal(try EpochKey.check(key, log: frame.log, epoch: frame.epoch), check)
        else { throw LogError(.logTampered) }
        return key
    }

    private static let nonce = [UInt8](repeating: 0, count: XChaCha20Poly1305.nonceSize)

    /// What is in a box; nil when it is not for this key.
    private static func opened(
        _ box: [UInt8],
        _ key: borrowing SecretBytes
    ) throws(LogError) -> Secret? {
        do throws(CryptoError) {
            return Secret(
                try XChaCha20Poly1305.open(
                    box[..<EpochKey.size],
                    tag: box[EpochKey.size...],
                    key: key,
                    nonce: nonce,
                    authenticating: LogLabel.box.bytes
                )
            )
        } catch {
            guard error == .authenticationFailed else { throw LogError(error) }
            return nil
        }
    }

    private static func extract(
        _ shared: borrowing SecretBytes,
        _ clear: [UInt8],
        _ ephemeral: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        try HKDF.extract(salt: Hash.sha256(LogLabel.box.bytes + clear + ephemeral), keyMaterial: shared)
    }

    private static func key(
        _ prk: borrowing SecretBytes,
        _ machine: MachineID
    ) throws(CryptoError) -> SecretBytes {
        try HKDF.expand(prk, info: LogLabel.boxKey.bytes + machine.bytes, count: 32)
    }
}
