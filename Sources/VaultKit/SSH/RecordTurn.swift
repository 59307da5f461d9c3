internal import RecordStore
internal import VaultCrypto

/// Some records as they were in one snapshot, and what an act does to them.
///
/// It lives inside one reading of the store.
protocol RecordTurn {
    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError)

    /// What has to be written; nil for nothing.
    func changes() throws(VaultError) -> ChangeSet?
}
