package import FileStore
package import RecordStore
internal import SecretServiceStore
package import VaultCrypto
package import VaultKit

/// A change of the key of a vault file.
///
/// `init` finds out what becomes of each slot and refuses what can be refused; only `run` writes.
package struct VaultRekey {
    /// Why the key is not changed; nothing was.
    package enum Refusal: Error, Equatable, Sendable {
        /// A move of the vault was begun and has not ended.
        case isMoving
    }

    /// What came of it.
    package struct Outcome: Sendable {
        package let report: RekeyReport
        /// Open offers that were closed.
        package let offersClosed: Int
        /// Items of slots that are gone and stay in the keyring, as it could not be asked.
        package let keyringFailure: StoreError?
    }

    /// What becomes of the slots.
    package let fates: [SlotFate]
    /// How many records are sealed anew.
    package let records: Int
    /// How many open offers are closed.
    package let openOffers: Int
    /// A recovery code ends that was not given up by name, and none stays: a new one takes its place.
    package let needsCode: Bool
    private let store: FileStore
    private let locator: VaultLocator
    private let unlocks: [UInt32: Unlock]
    private let companion: KeyringCompanion?

    /// Looks at an open vault, and changes nothing.
    ///
    /// - Parameters:
    ///   - file: The vault, opened by a secret that somebody typed.
    ///   - locator: Where it lies.
    ///   - dropped: The numbers of slots that shall go.
    ///   - isFresh: Nothing is carried over.
    ///   - now: Unix seconds.
    /// - Throws: `lastSlot` where nothing portable would open it; `Refusal`; what reading the vault throws.
    package init(
        _ file: OpenedFile,
        at locator: VaultLocator,
        dropping dropped: Set<UInt32>,
        isFresh: Bool,
        now: Int64
    ) throws {
        let store = file.store
        try Self.refuseMove(locator)
        try store.checkRekey()
        var unlocks: [UInt32: Unlock] = [:]
        for unlock in [file.secret] + (file.companion?.slots.map(\.unlock) ?? []) {
            // An item of the keyring may be left of a slot that is gone.
            if let number = try? store.testSlot(unlock) { unlocks[number] = unlock }
        }
        fates = SlotFate.of(
            try store.slots(),
            carried: try store.carriedSlots(),
            here: Set(unlocks.keys),
            dropped: dropped,
            isFresh: isFresh
        )
        let staying = fates.filter(\.stays).map(\.slot.kind)
        needsCode =
            !staying.contains { $0.isRecovery }
            && fates.contains { $0.outcome == .ended && $0.slot.kind.isRecovery }
        guard needsCode || staying.contains(where: \.isPortable) else { throw StoreError.lastSlot }
        (records, openOffers) = try Self.look(store, UInt64(clamping: now))
        self.store = store
        self.locator = locator
        self.unlocks = unlocks
        companion = file.companion
    }

    /// Changes the key.
    ///
    /// - Parameters:
    ///   - vault: The vault over the same store, whose audit log gets an entry first.
    ///   - code: A new recovery code, in the hands of its owner, where one is needed.
    ///   - progress: Is told of what takes long.
    ///   - now: Unix seconds.
    ///   - undo: Called where nothing was changed, so that a code that opens nothing is not left lying about; one
    ///     that may open something is never lost.
    /// - Returns: where the vault stands.
    /// - Throws: as `FileStore.rekey`; `Refusal`; what writing `config.json` throws, with the key changed.
    package func run(
        _ vault: Vault,
        newCode code: Secret?,
        showing progress: any Progress = NoProgress(),
        now: Int64,
        undo: () -> Void
    ) async throws -> Outcome {
        let outcome: (report: RekeyReport, offers: Int)
        do {
            // Nobody moves the vault meanwhile: the mark of a move is a key epoch.
            let lock = try locator.moveLock(store.vaultID)
            try Self.refuseMove(locator)
            let prepared = try progress.during(.derivingKey) { () throws(StoreError) in
                try store.prepareRekey(slots(code))
            }
            try await vault.noteRekey()
            outcome = try progress.during(.rekeying) { () throws(StoreError) in
                try change(prepared, UInt64(clamping: now))
            }
            withExtendedLifetime(lock) {}
        } catch {
            if error as? StoreError != .commitUnknown { undo() }
            throw error
        }
        // At once, not once a minute: an old file that is put back is then told to be one.
        if let text = store.written { companion?.outdate(by: text, name: locator.place.key) }
        let failure = forgetItems()
        if try locator.config.record(of: locator.place.key) != nil {
            try locator.config.update(locator.place.key, of: store.vaultID) { record in
                record.rekeyedAt = now
                record.rekeyAdvisedAt = nil
                if code != nil { record.recoveryTestedAt = nil }
            }
        }
        return Outcome(report: outcome.report, offersClosed: outcome.offers, keyringFailure: failure)
    }

    private func change(
        _ prepared: PreparedRekey,
        _ now: UInt64
    ) throws(StoreError) -> (report: RekeyReport, offers: Int) {
        var closed = 0
        let report = try store.rekey(prepared) { reader, _ throws(StoreError) in
            do throws(VaultError) {
                let closing = try OfferClosing.changes(reader, now: now, entropy: .system)
                closed = closing.count
                return closing.changes
            } catch {
                if case .store(let error) = error { throw error }
                // It was read a moment ago, so another process has changed it.
                throw .conflict
            }
        }
        return (report, closed)
    }

    /// The slots under the next key.
    private func slots(_ code: Secret?) -> [RekeyedSlot] {
        var slots: [RekeyedSlot] = fates.compactMap { fate in
            switch fate.outcome {
            case .carried: .carried(fate.slot.number)
            case .remade: unlocks[fate.slot.number].map { .remade(fate.slot.number, $0) }
            case .dropped, .ended: nil
            }
        }
        if let code { slots.append(.new(NewSlot(.recovery(code), label: codeLabel))) }
        return slots
    }

    /// What the new recovery code is called: as the one that it replaces.
    package var codeLabel: String {
        fates.first { $0.outcome == .ended && $0.slot.kind.isRecovery }?.slot.label ?? "paper"
    }

    /// Removes what the keyring has of slots that are gone.
    private func forgetItems() -> StoreError? {
        let gone = fates.filter { !$0.stays && $0.slot.kind == .secretService }
        guard !gone.isEmpty else { return nil }
        do throws(StoreError) {
            let service = try locator.connect(.probe)
            for fate in gone { try KeySlots.forget(fate.slot.number, of: store, service) }
            return nil
        } catch {
            return error
        }
    }

    private static func refuseMove(_ locator: VaultLocator) throws {
        if try locator.settledRecord()?.move != nil { throw Refusal.isMoving }
    }

    private static func look(_ store: FileStore, _ now: UInt64) throws -> (records: Int, offers: Int) {
        var failure: VaultError?
        let found = try store.read { reader throws(StoreError) in
            let records = try reader.list(nil).count
            do throws(VaultError) {
                return (records, try OfferClosing.changes(reader, now: now, entropy: .system).count)
            } catch {
                failure = error
                return (records, 0)
            }
        }
        if let failure { throw failure }
        return found
    }
}
