public import VaultCrypto
package import VaultPolicy

/// An open vault, in this process or behind an agent.
///
/// Commands use only this. `Operations` lists the operations: `try await vault(Operations.contact, "bob")`.
/// The method of the same name on `Vault` documents an operation and its errors; a vault behind an agent adds
/// the errors of the connection.
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

    /// Over a vault that this program opened.
    public init(_ vault: Vault) { self.init(vault, by: .thisProcess(isOwn: false)) }

    /// Over a vault that a program opened.
    package init(_ vault: Vault, by requester: Requester) {
        self.vault = vault
        self.requester = requester
    }

    /// Writes an operation down where that is due, and does it.
    ///
    /// - Throws: `audit`: it could not be written down, and was not done; most are done all the same.
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

    /// This vault as a service for hsip itself: a person gave it the secret.
    package nonisolated var ownService: any VaultService {
        LocalService(self, by: .thisProcess(isOwn: true))
    }

    /// Does an operation.
    func perform<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        for caller: Caller,
        _ input: repeat each Input
    ) throws(VaultError) -> Output {
        try operation.perform(repeat each input, on: self, for: caller)
    }
}

/// A vault that is somewhere else: every operation is carried there, and its answer back.
public struct CarriedService: VaultService {
    private let carrier: any VaultCarrier

    /// Over a way to the vault.
    public init(_ carrier: any VaultCarrier) { self.carrier = carrier }

    /// Carries an operation.
    ///
    /// - Throws: what the vault refused; `malformedCall` for a malformed answer; what the carrier throws.
    public func callAsFunction<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        _ input: repeat each Input
    ) async throws -> Output {
        let answer = try await carrier.carry(try operation.call(repeat each input))
        return try operation.output(of: answer)
    }
}

/// Brings calls to a vault that is somewhere else, and its answers back.
public protocol VaultCarrier: Sendable {
    /// Sends one call and returns its answer.
    ///
    /// - Throws: the errors of the vault; a lost connection is an error of the carrier's own.
    func carry(_ call: VaultCall) async throws -> VaultAnswer
}

/// A call of an operation as it crosses a process boundary: name, arguments, and the secrets beside them.
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

/// The answer to a call as it crosses a process boundary: the result, and the secrets that it names beside
/// it.
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

extension VaultService {
    /// Does an operation that answers nothing.
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
