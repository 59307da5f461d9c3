internal import VaultCrypto

/// Which of the key slots that a repair has found are those of the vault.
package struct SlotSalvage: Sendable {
    /// Slots of which every subset is tried against the digest.
    private static let mostTried = 16

    /// The slots of the new vault.
    package let slots: Keyslots
    /// Whether the head vouches for them: one that was removed may be among them otherwise, or one is missing.
    package let isVouched: Bool

    /// Takes the slots that the head's digest vouches for; else those whose notes open, and the one that was used.
    ///
    /// - Parameters:
    ///   - found: What has the shape of a slot, of the damaged file first.
    ///   - used: The slot that gave the vault key.
    ///   - head: The newest head that opens.
    ///   - keys: The keys of the vault.
    /// - Throws: `outOfMemory`.
    package init(_ found: [SlotRow], used: SlotRow, head: HeadContent?, keys: VaultKeys) throws(StoreError) {
        var known: [(row: SlotRow, created: UInt64)] = []
        for row in found where !known.contains(where: { $0.row == row }) {
            do throws(StoreError) {
                known.append((row, try SlotNote(row, keys).created))
            } catch .tampered {
                continue
            }
        }
        known.sort { $0.created > $1.created }
        if let head {
            let tried = known.prefix(Self.mostTried).map(\.row)
            if let slots = try Self.subset(of: tried, with: head.slotDigest, keys) {
                self.slots = slots
                isVouched = true
                return
            }
        }
        var rows = [used]
        for (row, _) in known where !rows.contains(where: { $0.number == row.number }) {
            if let fits = try? Keyslots((rows + [row]).sorted { $0.number < $1.number }) { rows = fits.rows }
        }
        slots = try Keyslots(rows.sorted { $0.number < $1.number })
        isVouched = false
    }

    /// The slots that have this digest; nil where no choice among them does.
    private static func subset(
        of rows: [SlotRow],
        with digest: [UInt8],
        _ keys: VaultKeys
    ) throws(StoreError) -> Keyslots? {
        for choice in (0..<(1 << rows.count)).reversed() {
            let chosen = rows.indices.filter { choice & 1 << $0 != 0 }.map { rows[$0] }
            guard let slots = try? Keyslots(chosen.sorted { $0.number < $1.number }) else { continue }
            if ConstantTime.equal(try slots.digest(keys), digest) { return slots }
        }
        return nil
    }
}
