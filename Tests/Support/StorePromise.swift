public import Testing

/// One promise of the contract of `Store`, to be kept by every backend.
public struct StorePromise: Sendable, CustomTestStringConvertible {
    /// The promise, as a sentence.
    public let testDescription: String
    /// Finds out whether a backend keeps it.
    public let check: @Sendable (StoreBackend) throws -> Void

    init(_ sentence: String, check: @escaping @Sendable (StoreBackend) throws -> Void) {
        testDescription = sentence
        self.check = check
    }

    /// The whole contract.
    public static let all = reading + writing + refusing + restoring
}
