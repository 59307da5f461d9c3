public import VaultCrypto

/// What an operation answered, as it crosses a wall: its result, and beside it the secrets that it names.
public struct VaultAnswer: Sendable {
    /// The result, encoded.
    public let result: [UInt8]
    /// The secrets that the result names by index.
    public let secrets: [Secret]

    /// An answer to a call.
    public init(result: [UInt8], secrets: [Secret]) {
        self.result = result
        self.secrets = secrets
    }
}
