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

    /// The result.
    package struct Outcome: Sendable {
        package let report: RekeyReport
        /// Open offers that were closed.
        package let offersClosed: Int
        /// Items of slots that are gone and stay in the keyring, as it could not be asked.
        package let keyringFailure: StoreError?
        /// What kept the change from being remembered in `config.json`.
        package let memoryFailure: OpeningError?
    }

    /// What becomes of the slots.
    package let fates: [SlotFate]
    /// How many records are sealed again.
    package let records: Int
    /// How many open offers are closed.
    package let openOffers: Int
    /// A recovery code, or the secret of shares, ends that was not given up by name, and no code stays: a new one takes
    /// its place.
    package let needsCode: Bool
    let store: FileStore
    let locator: VaultLocator
    /// The secrets that were typed, by the numbers of their slots.
    private let typed: [UInt32: Unlock]
    /// The items of the keyring, by the numbers of the slots that they open.
    let items: [UInt32: KeyringSlot]
    private let companion: KeyringCompanion?

    /// Looks at an open vault, and changes nothing.
    ///
    /// - Parameters:
    ///   - file: The vault, opened by a secret that was typed.
    ///   - locator: Where it lies.
    ///   - further: Another secret that was typed, so that its slot stays.
    ///   - dropped: The numbers of slots to drop.
    ///   - isFresh: Nothing is carried over.
    ///   - now: Unix seconds.
    /// - Throws: `lastSlot` where nothing portable would open it; `Refusal`; what reading the vault throws; what keeps
    ///   the typed secret from being tried: its slot must not end unseen.
    package init(
        _ file: OpenedFile,
        at locator: VaultLocator,
        keeping further: Unlock? = nil,
        dropping dropped: Set<UInt32>,
        isFresh: Bool,
        now: Int64
    ) throws {
        let store = file.store
        try Self.refuseMove(locator)
        try store.checkRekey()
        var typed: [UInt32: Unlock] = [:]
        for unlock in [file.secret, further].compactMap(\.self) { typed[try store.testSlot(unlock)] = unlock }
        self.typed = typed
        items = try Self.items(of: file.companion, store)
        fates = SlotFate.of(
            try store.slots(),
            carried: try store.carriedSlots(),
            here: Set(items.keys).union(typed.keys),
            dropped: dropped,
            isFresh: isFresh
        )
        let staying = fates.filter(\.stays).map(\.slot)
        // Shares that people hold are no code on paper.
        needsCode =
            !staying.contains { Sharing.isPaper($0) }
            && fates.contains { $0.outcome == .ended && $0.slot.kind.isRecovery }
        guard needsCode || staying.contains(where: \.kind.isPortable) else { throw StoreError.lastSlot }
        (records, openOffers) = try Self.look(store, UInt64(clamping: now))
        self.store = store
        self.locator = locator
        companion = file.companion
    }

    /// Changes the key.
    ///
    /// - Parameters:
    ///   - vault: The vault over the same store, whose audit log gets an entry first.
    ///   - code: A new recovery code, in the hands of its owner, where one is needed.
    ///   - progress: Shows what takes long.
    ///   - now: Unix seconds.
    ///   - undo: Called where nothing was changed, so that a code that opens nothing is not left lying about; one
    ///     that may open something is never lost.
    /// - Returns: where the vault stands.
    /// - Throws: as `FileStore.rekey`; `Refusal`; what the keyring answers to a new item.
    package func run(
        _ vault: Vault,
        newCode code: Secret?,
        showing progress: any Progress = NoProgress(),
        now: Int64,
        undo: () -> Void
    ) async throws -> Outcome {
        let outcome: (report: RekeyReport, offers: Int)
        var renewal = KeyringRenewal()
        var isBegun = false
        do {
            // No process moves the vault meanwhile: the mark of a move is a key epoch.
            let lock = try locator.moveLock(store.vaultID)
            try Self.refuseMove(locator)
            // The items come first and the slots second, so that there is never a slot without its secret.
            try renewal.make(for: self)
            let made = renewal.made
            let prepared = try progress.during(.derivingKey) { () throws(StoreError) in
                try store.prepareRekey(slots(code, made))
            }
            try await vault.noteRekey()
            isBegun = true
            outcome = try progress.during(.rekeying) { () throws(StoreError) in
                try change(prepared, UInt64(clamping: now))
            }
            withExtendedLifetime(lock) {}
        } catch {
            // Before the change itself nothing can be open; of the change `commitUnknown` says so, and nothing else does.
            if !isBegun || error as? StoreError != .commitUnknown {
                renewal.undo()
                undo()
            }
            throw error
        }
        // At once, not once a minute: an old file that is put back is then known to be one.
        if let text = store.written { companion?.outdate(by: text, name: locator.place.key) }
        renewal.renumber(by: outcome.report.slots, for: self)
        let failure = forgetItems(renewal.service)
        let unremembered = locator.config.remember(locator.place.key, of: store.vaultID) { record in
            record.rekeyedAt = now
            record.rekeyAdvisedAt = nil
            if code != nil { (record.recoveryTestedAt, record.kitMadeAt) = (nil, nil) }
        }
        return Outcome(
            report: outcome.report,
            offersClosed: outcome.offers,
            keyringFailure: failure,
            memoryFailure: unremembered
        )
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

    /// The slots under the next key; new ones are numbered in this order.
    private func slots(_ code: Secret?, _ made: [KeyringRenewal.Made]) -> [RekeyedSlot] {
        var slots: [RekeyedSlot] = fates.compactMap { fate in
            switch fate.outcome {
            case .carried: .carried(fate.slot.number)
            case .remade: typed[fate.slot.number].map { .remade(fate.slot.number, $0) }
            case .renewed, .dropped, .ended: nil
            }
        }
        slots += made.map { .new(NewSlot($0.item.unlock, label: $0.label)) }
        if let code { slots.append(.new(NewSlot(.recovery(code), label: codeLabel))) }
        return slots
    }

    /// What the new recovery code is called: as the one that it replaces, which is none that people hold shares of.
    package var codeLabel: String {
        fates.first { $0.outcome == .ended && Sharing.isPaper($0.slot) }?.slot.label ?? "paper"
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
