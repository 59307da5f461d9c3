public import VaultCrypto

/// A record with its secret.
public struct Record: Sendable {
    /// Everything but the secret.
    public let info: RecordInfo
    /// The secret, in locked memory, at most 16 MiB.
    public let body: Secret

    /// Puts the parts together, as a store does when it answers.
    package init(info: RecordInfo, body: Secret) {
        self.info = info
        self.body = body
    }
}
