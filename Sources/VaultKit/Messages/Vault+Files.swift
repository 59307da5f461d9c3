public import HSIP
public import VaultCrypto

/// The key of one file, and the message that carries it to a contact.
public struct SealedFileKey: Sendable, Codable {
    /// 32 bytes, made for this file alone and kept nowhere here.
    public let key: Secret
    /// The message, with its number.
    public let message: SealedMessage
}

/// The key of one file, as its message carried it.
public struct OpenedFileKey: Sendable, Codable {
    /// 32 bytes.
    public let key: Secret
    /// Who sealed the file.
    public let contact: String?
    /// The file was opened before.
    public let isReread: Bool
    /// Warnings and notes.
    public let notices: [Notice]
}

extension Vault {
    /// A fresh key for one file, sealed for a contact: one number of the session, however long the file is.
    ///
    /// - Parameters:
    ///   - alias: the contact who is to open the file.
    ///   - digest: the digest of the file (`FileDigest`), 32 bytes; the key depends on it.
    /// - Returns: the key, and the message that carries it.
    /// - Throws: as `encrypt`; `malformed` for a digest of another size.
    public func sealFileKey(for alias: String, digest: [UInt8]) throws(VaultError) -> SealedFileKey {
        let prepared = try seal(for: alias) { .sendFileKey($0, digest: digest) }
        guard let key = prepared.reserved.fileKey else { throw .hsip(.noSession) }
        return SealedFileKey(key: key, message: try asVaultError { try prepared.message(key) })
    }

    /// The key of a file, once it is durable that it was opened.
    ///
    /// It is opened as often as it is asked for: a disk may have been full the first time. `isReread` says that it
    /// is not the first.
    ///
    /// - Throws: what `decrypt` throws but `replayed`; `ownFile` for a file that I sealed.
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
