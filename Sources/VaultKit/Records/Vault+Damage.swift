public import RecordStore
internal import SSHFormats

extension Vault {
    /// Damaged records in one answer: enough to know what happened, and little enough for an agent's socket.
    private static let maximumDamaged = 256
    /// Kinds whose lists open every record.
    private static let opened: Set<String> = [
        HostRecord.recordKind, HSIPRecords.contact, HSIPRecords.pairing,
    ]

    /// The records that a list is short of, because they cannot be read.
    ///
    /// A secret or a key that cannot be opened is in its list, and is found by who opens it.
    public func damagedRecords() throws(VaultError) -> [DamagedRecord] {
        try reading { reader in
            let survey = try reader.survey(nil)
            var damaged = survey.damaged
            for info in survey.records where Self.opened.contains(info.id.kind.rawValue) && !info.isNewer {
                do { _ = try reader.find(info.id) } catch StoreError.tampered(.record(let record)) {
                    damaged.append(record)
                }
            }
            return Array(damaged.prefix(Self.maximumDamaged))
        }
    }
}
