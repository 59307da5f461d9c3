internal import VaultCrypto

extension RecordReader {
    /// The first record that is not the same in both views, everything but the secret and the secret compared;
    /// nil when all are.
    ///
    /// Secrets are compared in constant time, two of them in memory at once.
    package func firstDifference(from other: any RecordReader) throws(StoreError) -> RecordID? {
        let (mine, theirs) = (try list(nil), try other.list(nil))
        for (left, right) in zip(mine, theirs) where left != right { return min(left.id, right.id) }
        guard mine.count == theirs.count else {
            return mine.count > theirs.count ? mine[theirs.count].id : theirs[mine.count].id
        }
        for info in mine {
            guard let left = try find(info.id), let right = try other.find(info.id), left.info == right.info,
                ConstantTime.equal(left.body, right.body)
            else { return info.id }
        }
        return nil
    }
}
