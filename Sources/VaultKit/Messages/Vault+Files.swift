public import HSIP
public import VaultCrypto

/// The key of one file, and the message that carries it to a contact.
public struct SealedFileKey: Sendable, Codable {
    /// The key: 32 bytes, made for this file alone and not stored in the vault.
    public let key: Secret
    /// The message, with its number.
    public let message: SealedMessage
}

/// The key of one file, from the message that carried it.
public struct OpenedFileKey: Sendable, Codable {
    /// The key: 32 bytes.
    public let key: Secret
    /// The alias of the contact who sealed the file.
    public let contact: String?
    /// Whether the file was opened before.
    public let isReread: Bool
    /// Warnings and notes.
    public let notices: [Notice]
}

extension Vault {
    /// Makes a fresh key for one file, and seals it for a contact; a file of any length needs one message number.
    ///
    /// - Parameters:
    ///   - alias: the contact who is to open the file.
    ///   - digest: the digest of the file (`FileDigest`), 32 bytes; the key depends on it.
    /// - Returns: the key, and the message that carries it.
    /// - Throws: the errors of `encrypt`; `malformed` for a digest of another size.
    public func sealFileKey(for alias: String, digest: [UInt8]) throws(VaultError) -> SealedFileKey {
        let prepared = try seal(for: alias) { .sendFileKey($0, digest: digest) }
        guard let key = prepared.reserved.fileKey else { throw .hsip(.noSession) }
        return SealedFileKey(key: key, message: try asVaultError { try prepared.message(key) })
    }

    /// Returns the key of a file, after the opening is durable.
    ///
    /// The key can be opened repeatedly, because a disk may have been full the first time. `isReread` shows whether it was
    /// opened before.
    ///
    /// - Throws: the errors of `decrypt` except `replayed`; `ownFile` for a file that this vault sealed.
    public func openFileKey(
        _ envelope: MessageEnvelope,
        from alias: String? = nil
    ) throws(VaultError) -> OpenedFileKey {
        let acted = try perform(.reading(envelope, from: alias)) { book in
            .read(
                envelope,
                ReadRequest(from: try alias.map(book.named)?.peerID, isReread: true, purpose: .fileKey)
            )
        }
        guard case .opened(let opened) = acted.outcome.product else { throw .hsip(.ownFile) }
        return OpenedFileKey(
            key: opened.plaintext,
            contact: acted.book.contacts[opened.sender]?.alias,
            isReread: opened.isReread,
            notices: acted.outcome.notices
        )
    }
}
