internal import VaultCrypto

/// A key slot that a repair has found.
package struct SalvagedSlot: Equatable, Sendable {
    /// The number of the slot.
    package let number: UInt32
    /// The kind of secret that opens the slot.
    package let kind: SlotKind
    /// The label of the slot; empty if it cannot be decrypted.
    package let label: String
    /// Whether the new vault has the slot.
    package let isTaken: Bool
}

/// The key slots that a repair found, and its choice for the new vault.
package struct SlotSalvage: Sendable {
    /// The most slots whose subsets are tried against the digest.
    private static let maximumTried = 16

    /// The slots of the new vault.
    package let slots: Keyslots
    /// Whether the head vouches for the chosen slots; otherwise a removed slot may be among them, or one is
    /// missing.
    package let isVouched: Bool
    /// All slots found, ascending by number.
    package let found: [SalvagedSlot]

    /// Chooses the slots that the head's digest vouches for.
    ///
    /// If no subset has the digest, a slot is missing, and nothing shows which of the others were removed.
    /// Then only the used slot is chosen, or all if `takesAll`. Without a head all slots are chosen.
    ///
    /// - Parameters:
    ///   - found: Rows that look like slots, those of the damaged file first.
    ///   - used: The slot that gave the vault key.
    ///   - head: The newest head that opens.
    ///   - takesAll: Whether to choose unvouched slots although there is a head.
    ///   - keys: The keys of the vault.
    /// - Throws: `outOfMemory`.
    package init(
        _ found: [SlotRow],
        used: SlotRow,
        head: HeadContent?,
        takesAll: Bool,
        keys: VaultKeys
    ) throws(StoreError) {
        var known: [(row: SlotRow, note: SlotNote)] = []
        for row in found where !known.contains(where: { $0.row == row }) {
            do throws(StoreError) {
                known.append((row, try SlotNote(row, keys)))
            } catch .tampered {
                continue
            }
        }
        known.sort { $0.note.created > $1.note.created }
        let choice = try Self.choice(known.map(\.row), used, head, takesAll, keys)
        (slots, isVouched) = choice
        if !known.contains(where: { $0.row == used }) {
            known.append((used, SlotNote(created: 0, label: "")))
        }
        self.found = known.map { row, note in
            SalvagedSlot(
                number: row.number,
                kind: row.kind,
                label: note.label,
                isTaken: choice.0.rows.contains(row)
            )
        }.sorted { ($0.number, $1.isTaken ? 1 : 0) < ($1.number, $0.isTaken ? 1 : 0) }
    }

    private static func choice(
        _ known: [SlotRow],
        _ used: SlotRow,
        _ head: HeadContent?,
        _ takesAll: Bool,
        _ keys: VaultKeys
    ) throws(StoreError) -> (Keyslots, isVouched: Bool) {
        if let head {
            let tried = Array(known.prefix(maximumTried))
            if let slots = try subset(of: tried, with: head.slotDigest, keys) { return (slots, true) }
        }
        var rows = [used]
        let others = head == nil || takesAll ? known : []
        for row in others where !rows.contains(where: { $0.number == row.number }) {
            if let fits = try? Keyslots((rows + [row]).sorted { $0.number < $1.number }) { rows = fits.rows }
        }
        return (try Keyslots(rows.sorted { $0.number < $1.number }), false)
    }

    /// The slots with this digest; nil if no subset has it.
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
