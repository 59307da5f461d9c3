package import VaultPolicy

/// A vault to work with, wherever it is: open in this process, or behind an agent.
///
/// Commands know only this. Its operations have the names that they have on `Vault`, and refuse with the same
/// `VaultError`; a vault that is elsewhere adds the errors of the way there.
public protocol VaultService: Sendable {
    /// Does an operation.
    func perform<Output, each Input>(
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
    public func perform<Output, each Input>(
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
