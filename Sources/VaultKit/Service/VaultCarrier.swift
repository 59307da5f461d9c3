/// Brings calls to a vault that is somewhere else, and its answers back.
public protocol VaultCarrier: Sendable {
    /// Carries one call there and its answer back.
    ///
    /// - Throws: what the vault refused; how a lost way is told is the carrier's own error.
    func carry(_ call: VaultCall) async throws -> VaultAnswer
}
