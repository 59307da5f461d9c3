internal import FileStore
internal import Glibc
package import RecordStore
internal import SecretServiceStore
internal import System

/// Moves an open vault: copy, read back, compare, then make the copy count.
///
/// The source cannot change from before the copy until the end. The source is the vault until the anchor is raised;
/// then the copy is the vault, and the source is refused as an old copy. `config.json` is changed after that. If the
/// program stops in between, the next look at `config.json` completes the change (`VaultLocator.settledRecord`).
package final class VaultMigration {
    /// The result.
    package struct Outcome {
        package let records: Int
        /// The vault's position in its history.
        package let position: Position
        package let slots: [SlotInfo]
    }

    let locator: VaultLocator
    /// The record of the vault when the move was requested.
    package let record: VaultRecord
    package let source: OpenedStore
    let target: MigrationTarget
    private let progress: any Progress
    private let watch: () throws -> any Interruption
    let now: () -> Int64
    /// Whether the copy counts, or may count: then its secrets must not be discarded.
    package private(set) var mayCount = false

    /// A move of an open vault.
    ///
    /// - Parameters:
    ///   - source: The vault, open.
    ///   - record: The record of the vault.
    ///   - locator: Finds the vault, and records its target.
    ///   - target: The target of the move.
    ///   - progress: Shows the steps of the move.
    ///   - watch: Begins to watch for a signal, which ends the move and undoes it.
    ///   - now: The present, Unix seconds.
    package init(
        of source: OpenedStore,
        _ record: VaultRecord,
        at locator: VaultLocator,
        to target: MigrationTarget,
        showing progress: any Progress,
        watch: @escaping () throws -> any Interruption,
        now: @escaping () -> Int64
    ) {
        self.source = source
        self.record = record
        self.locator = locator
        self.target = target
        self.progress = progress
        self.watch = watch
        self.now = now
    }

    /// Moves the vault.
    ///
    /// - Throws: `newerRecord` and `alreadyExists` before anything is made; `conflict` when another process moved
    ///   the vault meanwhile; `copyDiffers`; what the stores throw. The vault is where it was then.
    package func run() throws -> Outcome {
        let lock = try locator.moveLock(record.id)
        defer { withExtendedLifetime(lock) {} }
        try checkUnmoved()
        let signals = try watch()
        defer { signals.stop() }
        let outcome = try source.hold { reader, position throws(StoreError) in
            let reader = WatchedReader(reader, signals)
            return Result {
                do {
                    return try move(reader, position)
                } catch StoreError.cancelled {
                    throw ProgramError.interrupted(signal: reader.signal ?? SIGINT)
                }
            }
        }
        return try outcome.get()
    }

    /// Raises the anchor in the keyring, too, so that the old file is recognised as outdated.
    package func outdate(_ companion: KeyringCompanion?) {
        let place = locator.place
        guard let companion,
            let text = try? Anchor(path: place.paths.anchor(record.id), vaultID: record.id).read()
        else { return }
        companion.outdate(by: text, name: place.key)
    }

    private func checkUnmoved() throws {
        guard try locator.settledRecord()?.location == record.location else {
            throw MigrationError.overtaken
        }
    }

    private func move(_ reader: WatchedReader, _ position: Position) throws -> Outcome {
        guard try !reader.list(nil).contains(where: \.isNewer) else { throw StoreError.newerRecord }
        let (epoch, isTooHigh) = position.epoch.addingReportingOverflow(1)
        guard !isTooHigh else { throw StoreError.corrupt }
        let next = Position(epoch: epoch, generation: position.generation + 1)
        try refuseNewer(than: next, position)
        let note = MoveNote(to: target.location, at: next, started: now())
        try progress.during(.writingNote) { try write(note) }
        let outcome: Outcome
        do {
            try progress.during(.makingRoom) { try makeRoom(above: position.epoch) }
            outcome = try copy(reader, next, over: position)
        } catch {
            if undo(note) { mayCount = false }
            throw error
        }
        try progress.during(.writingRecord) {
            try locator.config.change(locator.place.key) { present in
                guard let present, present.move == note else { return present }
                return present.moved(to: note.target, now: now())
            }
        }
        return outcome
    }

    /// Makes the copy, reads it back, compares every record, and only then lets it count.
    private func copy(
        _ reader: WatchedReader,
        _ position: Position,
        over last: Position
    ) throws -> Outcome {
        let copy = try progress.during(.copyingRecords) { () throws(StoreError) in
            try target.make(record.id, of: reader, at: position)
        }
        let (other, count) = try progress.during(.comparingRecords) { () throws(StoreError) in
            try copy.store.read { copied throws(StoreError) in
                (try reader.firstDifference(from: copied), try copied.list(nil).count)
            }
        }
        guard other == nil else { throw MigrationError.differs }
        // A file must be sound beyond its records, too.
        if case .file(let store) = copy { _ = try store.verify() }
        let outcome = Outcome(records: count, position: position, slots: try copy.slots())
        try reader.check()
        // From here on the copy may be the vault.
        mayCount = true
        try progress.during(.claiming) { () throws(StoreError) in try copy.claim(over: last) }
        copy.lock()
        return outcome
    }

    /// Throws if the target has a newer vault of this id, for example because this home was restored from a copy.
    ///
    /// Only the leftovers of a stopped move are ever overwritten.
    private func refuseNewer(than next: Position, _ position: Position) throws {
        if let stopped = record.move, stopped.target == target.location, stopped.position.epoch == next.epoch
        {
            return
        }
        guard let found = try target.keyEpoch(of: record.id), found >= next.epoch else { return }
        throw StoreError.rollback(found: position, expected: Position(epoch: found, generation: 0))
    }

    /// Records what is about to be made, before anything is made.
    private func write(_ note: MoveNote) throws {
        try locator.config.change(locator.place.key) { present throws(MigrationError) in
            guard var present, present.location == record.location else { throw MigrationError.overtaken }
            present.move = note
            return present
        }
    }
}
