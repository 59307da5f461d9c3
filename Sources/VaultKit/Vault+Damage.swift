public import RecordStore

extension Vault {
    /// Damaged records in one answer: enough to know what happened, and little enough for an agent's socket.
    private static let mostDamaged = 256

    /// The records that a list is short of, because they cannot be read; a secret that cannot be opened is found by
    /// who opens it.
    public func damagedRecords() throws(VaultError) -> [DamagedRecord] {
        try reading { (reader) throws(VaultError) in
            do throws(StoreError) {
                return Array(try reader.survey(nil).damaged.prefix(Self.mostDamaged))
            } catch {
                throw .store(error)
            }
        }
    }
}
