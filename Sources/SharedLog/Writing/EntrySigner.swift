package import VaultCrypto

/// What writing an entry needs beside the log: keys, time, and randomness, all from outside.
package struct EntrySigner: Sendable {
    /// The keys of this machine.
    package let keys: MachineKeys
    /// Milliseconds of the Unix clock.
    package let time: UInt64
    /// The generation of this vault.
    package let generation: UInt64
    /// For nonces, boxes and new keys.
    package let entropy: Entropy

    /// The machine at a moment.
    package init(keys: MachineKeys, time: UInt64, generation: UInt64, entropy: Entropy) {
        self.keys = keys
        self.time = time
        self.generation = generation
        self.entropy = entropy
    }

    /// Signs and seals one entry.
    func entry(
        _ draft: EntryContent.Draft,
        clear: [UInt8],
        boxes: KeyBoxes? = nil,
        log: LogID,
        epoch: UInt32,
        key: Secret
    ) throws(LogError) -> [UInt8] {
        let nonce = entropy.bytes(XChaCha20Poly1305.nonceSize)
        let rest = boxes?.encoded ?? []
        let open = clear + nonce + rest
        let content = try draft.signed(open, by: keys)
        do throws(CryptoError) {
            let packed = try SecretBytes(count: Padding.packedCount(content.count)) { target in
                Padding.pack(secret: content, into: &target)
            }
            let sealed = try XChaCha20Poly1305.seal(
                packed,
                key: try EpochKey.seal(key, log: log, epoch: epoch),
                nonce: nonce,
                authenticating: EntryFrame.data(clear: clear[...], rest: rest[...])
            )
            let entry = open + sealed.ciphertext + sealed.tag
            guard entry.count <= LogLimits.entry else {
                throw CryptoError.wrongSize(expected: LogLimits.entry, found: entry.count)
            }
            return entry
        } catch {
            if case .wrongSize = error { throw LogError(.logTooLarge) }
            throw LogError(error)
        }
    }
}
