public import RecordStore

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// Looks for passwords that are weak, used twice, old or expired.
    public func checkCredentials(named names: [String] = []) async throws -> CredentialReport {
        try await perform(Operations.checkCredentials, names)
    }

    /// The records that a list is short of, because they cannot be read.
    public func damagedRecords() async throws -> [DamagedRecord] {
        try await perform(Operations.damagedRecords)
    }
}
