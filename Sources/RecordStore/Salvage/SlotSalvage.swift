internal import VaultCrypto

/// A key slot that a repair has found.
package struct SalvagedSlot: Equatable, Sendable {
    /// Its number.
    package let number: UInt32
    /// How it is opened.
    package let kind: SlotKind
    /// What people wrote on it; empty where that does not open.
    package let label: String
    /// Whether the new vault has it.
    package let isTaken: Bool
}

/// Which of the key slots that a repair has found are those of the vault.
package struct SlotSalvage: Sendable {
    /// Slots of which every subset is tried against the digest.
    private static let maximumTried = 16

    /// The slots of the new vault.
    package let slots: Keyslots
    /// Whether the head vouches for them: one that was removed may be among them otherwise, or one is missing.
    package let isVouched: Bool
    /// What was found, ascending by number.
    package let found: [SalvagedSlot]

    /// Takes the slots that the head's digest vouches for.
    ///
    /// Where it vouches for no choice among them, one is missing, and nothing tells which of the others were removed: only
    /// the one that was used is taken then, unless all are asked for. Without a head all are taken.
    ///
    /// - Parameters:
    ///   - found: What has the shape of a slot, of the damaged file first.
    ///   - used: The slot that gave the vault key.
    ///   - head: The newest head that opens.
    ///   - takesAll: Whether slots that nothing vouches for are taken though there is a head.
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
