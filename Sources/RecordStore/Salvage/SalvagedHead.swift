package import VaultCrypto

/// The head of a repaired vault, computed row by row.
package struct SalvagedHead {
    private var content: HeadContent

    /// The head of a vault with these slots and without rows.
    package init(slots: Keyslots, keys: VaultKeys) throws(StoreError) {
        content = HeadContent(slotDigest: try slots.digest(keys))
    }

    /// The number of added rows.
    package var count: UInt64 { content.count }

    /// Counts a row; add each id only once.
    package mutating func add(_ row: FoundRow) {
        content.sums[row.id.lane] ^= row.element
        content.count += 1
    }

    /// The head with a generation above everything found.
    ///
    /// Its generation is its floor, so every record predates a restore.
    ///
    /// - Throws: `corrupt` if no higher generation exists.
    package func sealed(
        above generation: UInt64,
        vaultID: [UInt8],
        epoch: UInt32,
        keys: VaultKeys,
        entropy: Entropy
    ) throws(StoreError) -> HeadRow {
        guard generation < UInt64(Int64.max) else { throw .corrupt }
        var content = content
        content.generation = generation + 1
        content.floor = content.generation
        return try HeadRow(content, vaultID: vaultID, epoch: epoch, keys: keys, entropy: entropy)
    }
}
