public import SSHFormats

/// All that is public of a key in the vault.
public struct PublicHalf: Sendable, Codable {
    /// What lists show of it.
    public let summary: KeySummary
    /// The public key, with its whole comment.
    public let publicKey: PublicKey
    /// User certificates of the key, in the order in which they came.
    public let certificates: [PublicKey]
    /// Whether the file that it came from had a passphrase.
    public let hadPassphrase: Bool

    init(_ summary: KeySummary, _ record: KeyRecord) {
        self.summary = summary
        publicKey = record.publicKey
        certificates = record.certificates
        hadPassphrase = record.hadPassphrase
    }
}
