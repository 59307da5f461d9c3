/// A vault that is somewhere else: every operation is carried there, and its answer back.
public struct CarriedService: VaultService {
    private let carrier: any VaultCarrier

    /// Over a way to the vault.
    public init(_ carrier: any VaultCarrier) { self.carrier = carrier }

    /// Carries an operation.
    ///
    /// - Throws: what the vault refused; `malformedCall` for an answer that is none; what the carrier throws.
    public func perform<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        _ input: repeat each Input
    ) async throws -> Output {
        let answer = try await carrier.carry(try operation.call(repeat each input))
        return try operation.output(of: answer)
    }
}

/// Brings calls to a vault that is somewhere else, and its answers back.
public protocol VaultCarrier: Sendable {
    /// Carries one call there and its answer back.
    ///
    /// - Throws: what the vault refused; how a lost way is told is the carrier's own error.
    func carry(_ call: VaultCall) async throws -> VaultAnswer
}
