internal import FileStore
package import RecordStore
package import SecretServiceStore
internal import VaultCrypto
package import VaultKit

/// The rekey of a vault in the keyring: it gets a new key epoch, since it does not have a key of its own.
///
/// Older copies of the keyring are always refused from then on, and open offers are closed. Later backups have a new
/// key: the recovery code still opens them, and so does the passphrase that was typed, but no other one.
package struct KeyringRekey {
    /// The result of a rekey.
    package struct Outcome: Sendable {
        package let position: Position
        package let records: Int
        /// Open offers that were closed.
        package let offersClosed: Int
        /// Why the change was not recorded in `config.json`; nil if it was.
        package let memoryFailure: OpeningError?
    }

    /// How many records the vault has.
    package let records: Int
    /// How many open offers are closed.
    package let openOffers: Int
    /// The slots of the backups, and whether each opens later backups; empty for a vault without a key for backups.
    package let fates: [(slot: SlotInfo, stays: Bool)]
    /// Whether later backups already have a key; otherwise the next backup asks for a passphrase.
    package var isBackedUpFurther: Bool { next != nil }
    private let next: (key: CopyKey, revision: Revision)?
    private let store: SecretServiceStore
    private let locator: VaultLocator

    /// Looks at an open vault, and changes nothing.
    ///
    /// - Parameters:
    ///   - store: The vault.
    ///   - locator: Where the vault is stored.
    ///   - unlock: A secret that opens its backups and shall open later ones; nil if it is not at hand.
    ///   - isFresh: Whether no slot of the backups is carried over.
    ///   - progress: Shows long steps.
    ///   - now: Unix seconds.
    /// - Throws: `VaultRekey.Refusal`; `wrongSecret`, `noSuchSlot` for a secret that opens no backup; what reading the vault
    ///   throws.
    package init(
        _ store: SecretServiceStore,
        at locator: VaultLocator,
        typed unlock: Unlock? = nil,
        isFresh: Bool = false,
        showing progress: any Progress = NoProgress(),
        now: Int64
    ) throws {
        (self.store, self.locator) = (store, locator)
        try Self.refuseMove(locator)
        if let present = try KeyringCopies(store).present() {
            let (key, vaultID) = (present.key, store.vaultID)
            let typed: CopyKey.Typed?
            let next: CopyKey?
            if let unlock {
                (typed, next) = try progress.during(.derivingKey) { () throws(StoreError) in
                    let typed = try key.typed(unlock, of: vaultID)
                    return (typed, isFresh ? nil : try key.next(of: vaultID, typed, entropy: .system))
                }
            } else {
                typed = nil
                next = isFresh ? nil : try key.next(of: vaultID, nil, entropy: .system)
            }
            fates = try key.list().map { ($0, !isFresh && key.stays($0, typed)) }
            self.next = next.map { ($0, present.revision) }
        } else {
            guard unlock == nil else { throw StoreError.noSuchSlot }
            (fates, next) = ([], nil)
        }
        var failure: VaultError?
        (records, openOffers) = try store.read { reader throws(StoreError) in
            let records = try reader.list(nil).count
            do throws(VaultError) {
                return (records, try Self.closing(reader, now).count)
            } catch {
                failure = error
                return (records, 0)
            }
        }
        if let failure { throw failure }
    }

    /// Begins the next key epoch.
    ///
    /// - Parameters:
    ///   - vault: The vault over the same store, whose audit log gets an entry first.
    ///   - now: Unix seconds.
    /// - Returns: the result.
    /// - Throws: as `SecretServiceStore.rekey`.
    package func run(_ vault: Vault, now: Int64) async throws -> Outcome {
        let lock = try locator.moveLock(store.vaultID)
        defer { withExtendedLifetime(lock) {} }
        try Self.refuseMove(locator)
        try await vault.noteRekey()
        var (closed, count) = (0, 0)
        let position = try store.rekey { reader, _ throws(StoreError) in
            do throws(VaultError) {
                let closing = try Self.closing(reader, now)
                closed = closing.count
                count = try Self.count(reader)
                return try closing.changes + [change()]
            } catch {
                if case .store(let error) = error { throw error }
                // The offers were readable a moment ago, so another process has changed them.
                throw .conflict
            }
        }
        let unremembered = locator.config.remember(locator.place.key, of: store.vaultID) { record in
            record.rekeyedAt = now
            record.rekeyAdvisedAt = nil
        }
        return Outcome(
            position: position,
            records: count,
            offersClosed: closed,
            memoryFailure: unremembered
        )
    }

    private static func closing(
        _ reader: any RecordReader,
        _ now: Int64
    ) throws(VaultError) -> (changes: [Change], count: Int) {
        try OfferClosing.changes(reader, now: UInt64(clamping: now), entropy: .system)
    }

    private static func count(_ reader: any RecordReader) throws(VaultError) -> Int {
        do throws(StoreError) { return try reader.list(nil).count } catch { throw .store(error) }
    }

    /// The change that replaces or removes the key of the backups.
    private func change() throws(VaultError) -> Change {
        do throws(StoreError) {
            guard let next else { return try KeyringCopies.removal() }
            return try KeyringCopies.replacement(next.key, expecting: next.revision)
        } catch {
            throw .store(error)
        }
    }

    private static func refuseMove(_ locator: VaultLocator) throws {
        if try locator.settledRecord()?.move != nil { throw VaultRekey.Refusal.isMoving }
    }
}
