public import RecordStore
internal import SSHFormats

extension Vault {
    /// The most damaged records in one answer, so that it fits through an agent's socket.
    private static let maximumDamaged = 256
    /// Kinds whose lists open every record.
    private static let opened: Set<String> = [
        HostRecord.recordKind, HSIPRecords.contact, HSIPRecords.pairing,
    ]

    /// Lists the unreadable records, which are missing from other lists.
    ///
    /// A secret or a key whose body is unreadable still is in its list; the error appears when it is opened.
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
