public import HSIP
internal import RecordStore

extension Vault {
    /// Makes the identity of this vault, once, and the notice that can end it.
    ///
    /// - Throws: `identityExists`; `malformed` for a name that codes cannot carry.
    @discardableResult
    public func createIdentity(name: String) throws(VaultError) -> IdentitySummary {
        do {
            let identity = try Identity.make(name: name, entropy: entropy, wallClock: now())
            let id = try HSIPRecords.id(of: .identity)
            let clockID = try HSIPRecords.id(of: .clock)
            let (floor, exists, clock) = try store.read { (reader) throws(StoreError) in
                (reader.floor, try reader.info(id) != nil, try reader.info(clockID)?.revision ?? 0)
            }
            guard !exists else { throw VaultError.identityExists }
            var changes = ChangeSet(floor: floor)
            changes.put(
                RecordDraft(id: id, label: "HSIP identity", body: try RecordContent.encode(identity)),
                expecting: 0
            )
            // From now on a clock that jumps is noticed.
            let mark = RecordDraft(
                id: clockID,
                label: "HSIP clock mark",
                body: try RecordContent.encode(ClockMark(mark: now()))
            )
            changes.put(mark, expecting: clock)
            try store.commit(changes)
            return IdentitySummary(identity)
        } catch {
            let failure = VaultError(error)
            // Another process made one in between.
            throw failure == .store(.conflict) ? .identityExists : failure
        }
    }

    /// The identity of this vault; `noIdentity` if there is none yet.
    public func identity() throws(VaultError) -> IdentitySummary {
        IdentitySummary(try book(.identity).identity)
    }

    /// Changes the name that new codes carry.
    public func setName(_ name: String) throws(VaultError) -> IdentitySummary {
        IdentitySummary(try perform(.all) { _ in .setName(name) }.book.identity)
    }

    /// The REVOKE made together with the identity: whoever holds it can end the identity.
    public func revocationNotice() throws(VaultError) -> RevokeCode {
        try book(.identity).identity.revocation
    }

    /// The clock mark, whether it makes the clock suspect, and whether wiping waits because the clock jumped.
    public func clockMark() throws(VaultError) -> (mark: UInt64, isSuspect: Bool, delaysWiping: Bool) {
        let clock = try book(.identity).clock
        return (
            clock.mark, clock.isSuspect(wallClock: now()), clock.delaysWiping(wallClock: now())
        )
    }

    /// Sets the clock mark to the clock; only when a person says that it is right.
    public func setClockBack() throws(VaultError) {
        _ = try perform(.all) { _ in .setClockBack }
    }
}
