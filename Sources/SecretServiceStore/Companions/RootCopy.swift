internal import Files
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// A sealed copy of the root beside the anchor (Schemas/secret-service.md section 6): any program can replace or remove
/// the item of the root, and without it nothing of the vault can be read.
///
/// `HSIPROOT`, 1, and a blob of the vault file's kind. What seals it follows from the key in the root; an item of the
/// keyring keeps that for the time when the root is gone. A copy that is missing, cut or old harms nothing.
struct RootCopy: Sendable {
    private static let magic = Array("HSIPROOT".utf8) + [1]
    private static let overhead = magic.count + Envelope.openingSize

    let path: String
    let vaultID: [UInt8]

    /// Whether there is one; whether it opens is another matter.
    var isThere: Bool { (try? PathChecks.file(path)) == true }

    /// Puts a copy in the place of the last one, which stays until the new one is whole.
    ///
    /// It is not synced: what a lost update leaves is older than the anchor, and is refused.
    func write(_ text: Secret, _ key: Secret, _ entropy: Entropy) throws(StoreError) {
        let (opening, sealed) = try Envelope.seal(
            text,
            key: key,
            authenticating: context,
            entropy: entropy
        )
        try PathChecks.makeFolder(Folder.parent(of: path))
        let name = path + ".new"
        unsafe unlink(name)
        let draft = AtomicFile(name, try LocalFile(name, O_WRONLY | O_CREAT | O_EXCL))
        try draft.file.write(Self.magic + opening + sealed, at: 0)
        try draft.place(at: path, replaces: true)
    }

    /// What the copy holds; nil for one that is missing, or that this key does not open.
    ///
    /// - Throws: `unsafeFile`; `outOfMemory`; what the system refuses.
    func read(_ key: Secret) throws(StoreError) -> Secret? {
        guard try PathChecks.file(path),
            let bytes = try LocalFile(path, O_RDONLY).contents(limit: Self.overhead + LargeItems.longest),
            bytes.count >= Self.overhead, bytes.starts(with: Self.magic)
        else { return nil }
        let blob = Array(bytes.dropFirst(Self.magic.count))
        guard let text = try Envelope.open(blob, key: key, authenticating: context) else { return nil }
        return Secret(text)
    }

    /// Removes it; one that is not there stays so.
    func remove() { unsafe unlink(path) }

    private var context: [UInt8] { Self.magic + vaultID }
}
