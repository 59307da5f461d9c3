public import VaultCrypto

/// One operation of the vault as it crosses a process boundary: its name, its arguments, and beside them the secrets.
///
/// The arguments never hold a secret: they name one by its place in `secrets`, whose bytes travel by a way of
/// their own, from locked memory into locked memory.
public struct VaultCall: Sendable {
    /// The name of the operation, as `OperationTable` lists it.
    public let operation: String
    /// The arguments, encoded.
    public let arguments: [UInt8]
    /// The secrets that the arguments name by index.
    public let secrets: [Secret]

    /// A call of an operation.
    public init(operation: String, arguments: [UInt8], secrets: [Secret]) {
        self.operation = operation
        self.arguments = arguments
        self.secrets = secrets
    }
}

/// What an operation answered, as it crosses a process boundary: its result, and beside it the secrets that it names.
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

/// What an operation answers that has nothing to say.
public struct Nothing: Codable, Sendable {
    init() {}
}
