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

    /// Over a vault.
    public init(_ vault: Vault) { self.vault = vault }

    /// Writes an operation down where that is due, and does it.
    ///
    /// - Throws: `audit`: it could not be written down, and was not done; a read is done all the same.
    public func perform<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        _ input: repeat each Input
    ) async throws -> Output {
        if operation.touch != .look {
            let subjects = Operation<Output, repeat each Input>.subjects(of: repeat each input)
            try await vault.note(operation.name, operation.touch, subjects: subjects)
        }
        return try await vault.perform(operation, repeat each input)
    }
}

extension Vault {
    /// This vault as a service.
    public nonisolated var service: any VaultService { LocalService(self) }
}
