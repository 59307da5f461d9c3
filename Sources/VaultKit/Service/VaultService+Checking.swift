public import RecordStore

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// Looks for passwords that are weak, used twice, old or expired.
    public func checkCredentials(named names: [String] = []) async throws -> CredentialReport {
        try await perform(Operations.checkCredentials, names)
    }

    /// This vault, for who takes a list for all there is and cannot be told that it is short.
    ///
    /// - Throws: `tampered` while a record cannot be read.
    public func whole() async throws -> Self {
        if let record = try await damagedRecords().first { throw StoreError.tampered(record.tampered) }
        return self
    }

    /// The records that a list is short of, because they cannot be read.
    public func damagedRecords() async throws -> [DamagedRecord] {
        try await perform(Operations.damagedRecords)
    }
}
