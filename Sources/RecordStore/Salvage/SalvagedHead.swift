package import VaultCrypto

/// The head of a repaired vault, worked out row by row.
package struct SalvagedHead {
    private var content: HeadContent

    /// The head of a vault with these slots and no rows yet.
    package init(slots: Keyslots, keys: VaultKeys) throws(StoreError) {
        content = HeadContent(slotDigest: try slots.digest(keys))
    }

    /// How many rows were added.
    package var count: UInt64 { content.count }

    /// Counts a row; each id comes once.
    package mutating func add(_ row: FoundRow) {
        content.sums[row.id.lane] ^= row.element
        content.count += 1
    }

    /// The head above a place in the history that everything found lies below or at.
    ///
    /// Its generation is its floor, so every record predates a restore.
    ///
    /// - Throws: `corrupt` for a history that is used up.
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
