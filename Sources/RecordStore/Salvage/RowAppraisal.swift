internal import VaultCrypto

/// Judges rows that were found somewhere by their tags: nothing about the place where they lay is trusted.
package struct RowAppraisal: ~Copyable {
    private var codec: RecordCodec

    /// Judges the rows of one vault key.
    package init(keys: VaultKeys) throws(StoreError) {
        codec = try RecordCodec(keys: keys)
    }

    /// The info of a row's record; nil if the meta does not open or belongs to another row.
    ///
    /// The row may come without its body.
    package mutating func info(_ row: SealedRow) throws(StoreError) -> RecordInfo? {
        do throws(StoreError) {
            return try codec.openMeta(row, head: .ofAnyTime)
        } catch .tampered {
            return nil
        } catch .newerRecord {
            return nil
        }
    }

    /// Whether the body is the one that was written with this revision.
    package func isBodyGenuine(_ row: SealedRow, revision: Revision) throws(StoreError) -> Bool {
        do throws(StoreError) {
            _ = try codec.openBody(row, revision: revision)
            return true
        } catch .tampered {
            return false
        } catch .corrupt {
            return false
        }
    }

    /// The row's summand of the lane's sum; nil if the seal has another size than 80.
    package mutating func element(of row: SealedRow) throws(StoreError) -> Element? {
        try codec.element(of: row)
    }
}

extension HeadContent {
    /// A head that no record is newer than, for rows that are judged without their head.
    static var ofAnyTime: HeadContent {
        var head = HeadContent(slotDigest: [])
        head.generation = .max
        return head
    }
}
