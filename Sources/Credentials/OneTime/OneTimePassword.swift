public import VaultCrypto

/// A password that counts for a moment.
public struct OneTimePassword: Sendable, Codable {
    /// Its digits as ASCII.
    public let digits: Secret
    /// For how many more seconds it counts, at least one.
    public let secondsLeft: Int
    /// For how many seconds one counts in all.
    public let period: Int

    /// A password.
    public init(digits: Secret, secondsLeft: Int, period: Int) {
        self.digits = digits
        self.secondsLeft = secondsLeft
        self.period = period
    }
}
