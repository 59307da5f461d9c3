internal import RecordStore
internal import VaultCrypto

/// Some records as they were in one snapshot, and what an act does to them.
///
/// It lives inside one reading of the store.
protocol RecordTransaction {
    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError)

    /// What has to be written; nil for nothing.
    func changes() throws(VaultError) -> ChangeSet?

    /// The records that get another name by that.
    var renamings: [Renaming] { get }
}

extension RecordTransaction {
    var renamings: [Renaming] { [] }

    /// What has to be written, with the rules that name a record which has another name now.
    func allChanges(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError)
        -> ChangeSet?
    {
        var all = try changes()
        let renamings = renamings
        guard all != nil, !renamings.isEmpty else { return all }
        var rules = try RuleTransaction(reader, now: now, entropy: entropy)
        try rules.follow(renamings)
        all?.changes += try rules.changes()?.changes ?? []
        return all
    }
}
