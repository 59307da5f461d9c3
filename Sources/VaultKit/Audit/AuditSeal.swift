internal import VaultCrypto

/// Seals entries into frames and opens them (Schemas/audit.md section 2).
///
/// Every frame has its number and the digest over all frames before it, and authenticates both. So a frame opens only
/// at its own position in the log of its own vault.
struct AuditSeal: Sendable {
    /// Bytes of a frame besides the sealed part.
    static let overhead = 4 + 8 + AuditMark.linkSize + XChaCha20Poly1305.nonceSize + 4
    /// The possible sizes of a frame's sealed part in bytes.
    static let sealedSizes = XChaCha20Poly1305.tagSize + 1...AuditEntry.longestContent

    private static let purpose = Array("HSIP audit v1".utf8)
    private static let chain = Array("HSIP audit link v1".utf8)

    let key: Secret
    let vaultID: [UInt8]

    /// Makes the frame of the entry after `mark`, and the mark after that entry.
    func frame(
        _ entry: AuditEntry,
        after mark: AuditMark,
        _ entropy: Entropy
    ) throws(AuditError) -> (bytes: [UInt8], mark: AuditMark) {
        let sequence = mark.sequence + 1
        let place = data(sequence, mark.link)
        let nonce: [UInt8]
        let parts: (ciphertext: [UInt8], tag: [UInt8])
        do {
            let content = entry.content
            nonce = try XChaCha20Poly1305.hedgedNonce(
                for: content,
                key: key,
                authenticating: place,
                entropy: entropy
            )
            parts = try XChaCha20Poly1305.seal(content, key: key, nonce: nonce, authenticating: place)
        } catch {
            throw .badKey
        }
        let (ciphertext, tag) = parts
        let count = AuditBytes.big(UInt32(ciphertext.count + tag.count))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.overhead + ciphertext.count + tag.count)
        bytes += count
        bytes += AuditBytes.big(sequence)
        bytes += mark.link
        bytes += nonce
        bytes += ciphertext
        bytes += tag
        bytes += count
        return (bytes, AuditMark(sequence: sequence, link: Self.link(of: bytes)))
    }

    /// Opens a whole frame; nil if it was not sealed with this key for its position in the log.
    ///
    /// - Returns: the entry, the mark before it and the mark after it.
    func open(_ frame: [UInt8]) -> (entry: AuditEntry, before: AuditMark, after: AuditMark)? {
        let count = frame.count - Self.overhead
        guard Self.sealedSizes.contains(count), AuditBytes.number32(frame[0..<4]) == count,
            AuditBytes.number32(frame[(frame.count - 4)...]) == count
        else { return nil }
        let sequence = AuditBytes.number64(frame[4..<12])
        guard sequence > 0 else { return nil }
        let link = Array(frame[12..<44])
        let nonce = Array(frame[44..<68])
        let sealed = Array(frame[68..<(68 + count)])
        let edge = count - XChaCha20Poly1305.tagSize
        guard
            let plain = try? XChaCha20Poly1305.open(
                sealed[..<edge],
                tag: sealed[edge...],
                key: key,
                nonce: nonce,
                authenticating: data(sequence, link)
            ), let entry = AuditEntry(content: plain.withBytes { $0.copied() })
        else { return nil }
        return (
            entry, AuditMark(sequence: sequence - 1, link: link),
            AuditMark(sequence: sequence, link: Self.link(of: frame))
        )
    }

    private func data(_ sequence: UInt64, _ link: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.purpose.count + vaultID.count + 8 + link.count)
        bytes += Self.purpose
        bytes += vaultID
        bytes += AuditBytes.big(sequence)
        bytes += link
        return bytes
    }

    /// The digest for the next frame, over the link, the nonce and the sealed bytes of this frame.
    private static func link(of frame: [UInt8]) -> [UInt8] {
        let linked = frame[12..<(frame.count - 4)]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chain.count + linked.count)
        bytes += chain
        bytes += linked
        return Hash.sha256(bytes)
    }
}
