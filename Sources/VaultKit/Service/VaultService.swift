public import VaultCrypto
package import VaultPolicy

/// An open vault, in this process or behind an agent.
///
/// Commands use only this. `Operations` lists the operations: `try await vault(Operations.contact, "bob")`. The method of
/// the same name on `Vault` documents an operation and its errors; a vault behind an agent adds connection errors.
public protocol VaultService: Sendable {
    /// Runs an operation.
    func callAsFunction<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        _ input: repeat each Input
    ) async throws -> Output
}

/// A vault that is open in this process.
public struct LocalService: VaultService {
    let vault: Vault
    let requester: Requester

    /// Makes the service of a vault that this program opened.
    public init(_ vault: Vault) { self.init(vault, by: .thisProcess(isOwn: false)) }

    /// Makes the service of a vault that a program opened.
    package init(_ vault: Vault, by requester: Requester) {
        self.vault = vault
        self.requester = requester
    }

    /// Logs the operation if that is required, and runs it.
    ///
    /// - Throws: `audit` if the entry could not be written and the operation needs one; then it was not run.
    public func callAsFunction<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        _ input: repeat each Input
    ) async throws -> Output {
        if operation.exposures != [.names] {
            try await vault.note(operation.request(repeat each input), by: requester)
        }
        return try await vault.perform(operation, for: .own, repeat each input)
    }
}

extension Vault {
    /// This vault as a service, for a program that uses the library.
    public nonisolated var service: any VaultService { LocalService(self) }

    /// This vault as a service for hsip itself; a person entered its secret.
    package nonisolated var ownService: any VaultService {
        LocalService(self, by: .thisProcess(isOwn: true))
    }

    /// Runs an operation.
    func perform<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        for caller: Caller,
        _ input: repeat each Input
    ) throws(VaultError) -> Output {
        try operation.perform(repeat each input, on: self, for: caller)
    }
}

/// A vault in another process: the service sends every operation there, and receives the answer.
public struct CarriedService: VaultService {
    private let carrier: any VaultCarrier

    /// Makes the service of the vault at the other end of a carrier.
    public init(_ carrier: any VaultCarrier) { self.carrier = carrier }

    /// Sends an operation, and returns its output.
    ///
    /// - Throws: the errors of the vault; `malformedCall` for a malformed answer; the errors of the carrier.
    public func callAsFunction<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        _ input: repeat each Input
    ) async throws -> Output {
        let answer = try await carrier.carry(try operation.call(repeat each input))
        return try operation.output(of: answer)
    }
}

/// Sends calls to a vault in another process, and receives the answers.
public protocol VaultCarrier: Sendable {
    /// Sends one call and returns its answer.
    ///
    /// - Throws: the errors of the vault; a lost connection is an error of the carrier's own.
    func carry(_ call: VaultCall) async throws -> VaultAnswer
}

/// A call of an operation for sending to another process: name, arguments, and the secrets beside them.
///
/// The arguments never contain a secret: they name it by its index in `secrets`. The bytes of secrets are sent
/// separately, from locked memory to locked memory.
public struct VaultCall: Sendable {
    /// The name of the operation, as `OperationTable` lists it.
    public let operation: String
    /// The arguments, encoded.
    public let arguments: [UInt8]
    /// The secrets that the arguments name by index.
    public let secrets: [Secret]

    /// Makes a call of an operation.
    public init(operation: String, arguments: [UInt8], secrets: [Secret]) {
        self.operation = operation
        self.arguments = arguments
        self.secrets = secrets
    }
}

/// The answer to a call, for sending to another process: the result, and the secrets that it names.
public struct VaultAnswer: Sendable {
    /// The result, encoded.
    public let result: [UInt8]
    /// The secrets that the result names by index.
    public let secrets: [Secret]

    /// Makes an answer to a call.
    public init(result: [UInt8], secrets: [Secret]) {
        self.result = result
        self.secrets = secrets
    }
}

extension VaultService {
    /// Runs an operation that returns nothing.
    public func callAsFunction<each Input>(
        _ operation: Operation<Nothing, repeat each Input>,
        _ input: repeat each Input
    ) async throws {
        let _: Nothing = try await self(operation, repeat each input)
    }
}

/// The result of an operation that returns nothing.
public struct Nothing: Codable, Sendable {
    init() {}
}
