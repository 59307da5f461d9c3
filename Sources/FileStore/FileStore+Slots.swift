public import RecordStore
internal import VaultCrypto

extension FileStore {
    /// The key slots, ascending by number, including unknown kinds.
    ///
    /// - Throws: `tampered(.slots)` if they differ from the slots in the head's digest.
    public func slots() throws(StoreError) -> [SlotInfo] {
        let (_, sealer) = try unlocked()
        return try keyslots().list(sealer.keys)
    }

    /// Adds a slot; `unlock` is the secret of a present slot, because the vault key is not kept in memory.
    ///
    /// - Returns: The number of the new slot.
    /// - Throws: `wrongSecret`, `noSuchSlot`, `slotLimit` (16, and 4 of a kind), `invalidRecord(.slot)`,
    ///   `conflict` if another process changed the slots meanwhile.
    @discardableResult
    public func addSlot(_ new: NewSlot, unlock: Unlock) throws(StoreError) -> UInt32 {
        try change(unlock) { present, make throws(StoreError) in
            let row = try make(new, present.nextNumber)
            return (try present.adding(row), row.number)
        }
    }

    /// Replaces an old slot by a new one in one transaction, for a new passphrase or a stronger KDF.
    ///
    /// - Returns: The number of the new slot.
    /// - Throws: As `addSlot`; `lastSlot` if no portable slot would remain.
    @discardableResult
    public func replaceSlot(
        _ number: UInt32,
        with new: NewSlot,
        unlock: Unlock
    ) throws(StoreError) -> UInt32 {
        let fresh = try change(unlock) { present, make throws(StoreError) in
            let row = try make(new, present.nextNumber)
            return (try present.replacing(number, with: row), row.number)
        }
        emptyLog()
        return fresh
    }

    /// Removes a slot.
    ///
    /// Anyone who knew its secret can still open old copies of the file, and may have kept the vault key.
    ///
    /// - Throws: `noSuchSlot`; `lastSlot` if no portable slot would remain.
    public func removeSlot(_ number: UInt32) throws(StoreError) {
        try write { sealer, rows throws(StoreError) in
            let present = try rows.slots()
            return try sealer.plan(slots: present.removing(number), replacing: present)
        }
        emptyLog()
    }

    /// Checks that a slot can be removed, so that a person is not asked in vain; changes nothing.
    ///
    /// - Throws: As `removeSlot`.
    package func checkRemoval(of number: UInt32) throws(StoreError) {
        _ = try keyslots().removing(number)
    }

    /// Returns the number of the slot that a secret opens, without changing anything.
    ///
    /// - Throws: `wrongSecret`, `noSuchSlot`.
    public func testSlot(_ unlock: Unlock) throws(StoreError) -> UInt32 {
        let (_, sealer) = try unlocked()
        return try keyslots().unwrap(unlock, vaultID: vaultID, epoch: sealer.epoch).number
    }

    /// The slots as rows, compared with the head.
    func keyslots() throws(StoreError) -> Keyslots {
        let (connection, sealer) = try unlocked()
        return try connection.read { rows throws(StoreError) in
            let head = try sealer.observe(rows.head())
            let slots = try rows.slots()
            try sealer.check(slots, head)
            return slots
        }
    }

    /// Makes a slot outside of any transaction, since deriving its key takes long, and writes it if the slots have not
    /// changed.
    private func change(
        _ unlock: Unlock,
        _ edit: (
            Keyslots, (NewSlot, UInt32) throws(StoreError) -> SlotRow
        ) throws(StoreError) -> (slots: Keyslots, number: UInt32)
    ) throws(StoreError) -> UInt32 {
        guard !isReadOnly else { throw .readOnly }
        let (_, sealer) = try unlocked()
        let present = try keyslots()
        let opened = try present.unwrap(unlock, vaultID: vaultID, epoch: sealer.epoch)
        let changed = try edit(present) { new, number throws(StoreError) in
            try Keyslots.make(
                new,
                number: number,
                vaultKey: opened.vaultKey,
                keys: sealer.keys,
                vaultID: vaultID,
                epoch: sealer.epoch,
                time: sealer.now(),
                entropy: sealer.entropy
            )
        }
        try write { sealer, rows throws(StoreError) in
            guard try rows.slots() == present else { throw .conflict }
            return try sealer.plan(slots: changed.slots, replacing: present)
        }
        return changed.number
    }

    /// Empties the log, so that the bytes of a removed slot are gone from the disk.
    func emptyLog() {
        do {
            try unlocked().0.truncateLog()
        } catch {
            note(.logNotTruncated)
        }
    }
}
