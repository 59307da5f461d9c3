package import FileStore
package import RecordStore
internal import SecretServiceStore
package import VaultCrypto
package import VaultKit

/// A change of the key of a vault file.
///
/// `init` decides what happens to each slot and checks everything that can be refused; only `run` writes.
package struct VaultRekey {
    /// Why the key is not changed; nothing was changed.
    package enum Refusal: Error, Equatable, Sendable {
        /// A move of the vault has begun and not ended.
        case isMoving
    }

    /// The result.
    package struct Outcome: Sendable {
        package let report: RekeyReport
        /// Open offers that were closed.
        package let offersClosed: Int
        /// Why items of removed slots may still be in the keyring; nil if nothing failed.
        package let keyringFailure: StoreError?
        /// Why the change was not recorded in `config.json`; nil if it was.
        package let memoryFailure: OpeningError?
    }

    /// What happens to each slot.
    package let fates: [SlotFate]
    /// How many records are sealed again.
    package let records: Int
    /// How many open offers are closed.
    package let openOffers: Int
    /// Whether a new recovery code is needed: a code or the secret of shares ends without having been dropped by
    /// number, and no other code stays.
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
    ///   - locator: Where the vault is stored.
    ///   - further: Another secret that was typed, so that its slot stays.
    ///   - dropped: The numbers of slots to drop.
    ///   - isFresh: Whether no slot is carried over.
    ///   - now: Unix seconds.
    /// - Throws: `lastSlot` if no portable slot would open it; `Refusal`; what reading the vault throws; what keeps
    ///   the typed secret from being tried, because its slot must not end unnoticed.
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
    ///   - code: A new recovery code that its owner already has, if one is needed.
    ///   - progress: Shows long steps.
    ///   - now: Unix seconds.
    ///   - undo: Called if nothing was changed, to discard a code that opens nothing. A code that may open something
    ///     is never lost.
    /// - Returns: the result.
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
            // Other processes must not move the vault meanwhile: a move raises the key epoch, too.
            let lock = try locator.moveLock(store.vaultID)
            try Self.refuseMove(locator)
            // The items are made before the slots, so that every slot has its secret.
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
            // Before the change begins, the new secrets open nothing. After that, only `commitUnknown` leaves it open.
            if !isBegun || error as? StoreError != .commitUnknown {
                renewal.undo()
                undo()
            }
            throw error
        }
        // The keyring is updated at once, not once a minute, so that an old file that is put back is recognised.
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
                // The offers were readable a moment ago, so another process has changed them.
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

    /// The label of the new recovery code: that of the paper code it replaces, never that of a shared secret.
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
