public import VaultCrypto

/// A one-time password that a credential gave, and what a person wants to know of it.
public struct OneTimeCode: Sendable, Codable {
    /// For what it counts.
    public enum Validity: Sendable, Hashable, Codable {
        /// For so many more seconds, of so many in all.
        case seconds(left: Int, of: Int)
        /// For one use: it is the password of this counter, which never gives another one.
        case counter(UInt64)
    }

    /// The credential.
    public let name: String
    /// The digits as ASCII.
    public let digits: Secret
    /// For what it counts.
    public let validity: Validity
    /// Who gave the key out, as its address says; empty where it does not.
    public let issuer: String
    /// Whose it is, as the address says; empty where it does not.
    public let account: String
}
