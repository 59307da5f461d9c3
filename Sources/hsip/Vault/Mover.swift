internal import Console
internal import FileStore
internal import Glibc
internal import Programs
internal import RecordStore
internal import SafeText
internal import SecretServiceStore
internal import VaultLifecycle

/// Moves an open vault: copy, read back, compare, then make the copy count.
///
/// The source cannot change from before the copy until the end. Up to the raising of the anchor it is the vault;
/// from then on the copy is, and the source is refused as an old copy. What stands in `config.json` follows; a
/// stop in between is made good by the next command (`Context.settledRecord`).
final class Mover {
    /// What came of it.
    struct Outcome {
        let records: Int
        let position: Position
        let slots: [SlotInfo]
    }

    let place: VaultPlace
    /// What was recorded when the move was asked for.
    let record: VaultRecord
    let source: OpenedStore
    let target: MoveTarget
    let context: Context
    /// The copy counts, or may: its secrets must not be thrown away.
    private(set) var mayCount = false

    init(
        place: VaultPlace,
        record: VaultRecord,
        source: OpenedStore,
        target: MoveTarget,
        context: Context
    ) {
        self.place = place
        self.record = record
        self.source = source
        self.target = target
        self.context = context
    }

    /// Moves it.
    ///
    /// - Throws: `newerRecord` and `alreadyExists` before anything is made; `conflict` when another process moved
    ///   the vault meanwhile; `copyDiffers`; what the stores throw. The vault is where it was then.
    func run() throws -> Outcome {
        let lock = try context.moveLock(place, record.id)
        defer { withExtendedLifetime(lock) {} }
        try checkUnmoved()
        let signals = try SignalWatch()
        defer { signals.stop() }
        let outcome = try source.hold { reader, position throws(StoreError) in
            let reader = WatchedReader(reader, signals)
            return Result {
                do {
                    return try move(reader, position)
                } catch StoreError.cancelled {
                    throw ConsoleError.interrupted(signal: reader.signal ?? SIGINT)
                }
            }
        }
        return try outcome.get()
    }

    private func checkUnmoved() throws {
        guard try context.settledRecord(place)?.location == record.location else {
            throw MoveRefusal.overtaken
        }
    }

    private func move(_ reader: WatchedReader, _ position: Position) throws -> Outcome {
        guard try !reader.list(nil).contains(where: \.isNewer) else { throw StoreError.newerRecord }
        let (epoch, isTooHigh) = position.epoch.addingReportingOverflow(1)
        guard !isTooHigh else { throw StoreError.corrupt }
        let next = Position(epoch: epoch, generation: position.generation + 1)
        try refuseNewer(than: next, position)
        let note = MoveNote(to: target.location, at: next, started: context.now)
        try write(note)
        let outcome: Outcome
        do {
            try makeRoom(above: position.epoch)
            outcome = try copy(reader, next, over: position)
        } catch {
            if undo(note) { mayCount = false }
            throw error
        }
        try context.config(place).change(place.key) { present in
            guard let present, present.move == note else { return present }
            return present.moved(to: note.target, now: context.now)
        }
        return outcome
    }

    /// Makes the copy, reads it back, compares every record, and only then lets it count.
    private func copy(
        _ reader: WatchedReader,
        _ position: Position,
        over last: Position
    ) throws -> Outcome {
        let copy = try context.output.working("moving the vault…") { () throws(StoreError) in
            try target.make(record.id, of: reader, at: position)
        }
        let (other, count) = try context.output.working("comparing…") { () throws(StoreError) in
            try copy.store.read { copied throws(StoreError) in
                (try reader.firstDifference(from: copied), try copied.list(nil).count)
            }
        }
        guard other == nil else { throw MoveRefusal.differs }
        // A file must be sound beyond its records, too.
        if case .file(let store) = copy { _ = try store.verify() }
        let outcome = Outcome(records: count, position: position, slots: try copy.slots())
        try reader.check()
        // The turning point.
        mayCount = true
        try copy.claim(over: last)
        copy.lock()
        return outcome
    }

    /// Where the vault goes there may be a later one of the same id: this home was put back from a copy, perhaps.
    ///
    /// Nothing but what a stopped move left is ever written over.
    private func refuseNewer(than next: Position, _ position: Position) throws {
        if let stopped = record.move, stopped.target == target.location, stopped.position.epoch == next.epoch
        {
            return
        }
        guard let found = try target.keyEpoch(of: record.id), found >= next.epoch else { return }
        throw StoreError.rollback(found: position, expected: Position(epoch: found, generation: 0))
    }

    /// Says what is about to be made, before anything is.
    private func write(_ note: MoveNote) throws {
        try context.config(place).change(place.key) { present throws(Failure) in
            guard var present, present.location == record.location else { throw MoveRefusal.overtaken }
            present.move = note
            return present
        }
    }

    /// Frees the place of a file: drafts and whole files of moves that were stopped go, an old copy of this vault
    /// gets another name, and anything else stays and stops the move.
    private func makeRoom(above epoch: UInt32) throws {
        guard case .file(let place, _) = target else { return }
        try FileStore.removeDrafts(at: place.paths)
        guard Path.exists(place.file) else { return }
        guard let glance = try? FileStore.glance(at: place.paths), glance.vaultID == record.id,
            glance.epoch <= epoch + 1
        else { throw MoveRefusal.taken(place.file) }
        guard glance.epoch <= epoch else { return try FileStore.remove(place.file) }
        let aside = freeName(beside: place.file)
        // Written down first: a file that is not there yet is no harm, one that nobody knows of would be.
        try context.config(place).change(place.key) { present in
            guard var present else { return nil }
            var kept = present.kept.filter { $0.location != .file(place.file) }
            let until = present.kept.first { $0.location == .file(place.file) }?.until
            kept.append(KeptCopy(.file(aside), until: until ?? context.now + KeptCopy.span))
            present.kept = kept
            return present
        }
        try FileStore.moveAside(place.paths, to: aside)
    }

    private func freeName(beside path: String) -> String {
        var time = context.now
        while true {
            let digits = Times.rfc3339(time).filter(\.isNumber)
            let name = "\(path).kept-\(digits.prefix(8))-\(digits.dropFirst(8))"
            if !Path.exists(name) { return name }
            time += 1
        }
    }

    /// Leaves no trace of a copy that does not count; where that fails the note stays, and `doctor` tells.
    ///
    /// - Returns: Whether nothing is left.
    private func undo(_ note: MoveNote) -> Bool {
        // A copy that counts already is never taken away: what failed was only the answer.
        guard let present = try? context.settledRecord(place), present.move == note else { return false }
        var service: SecretService?
        if case .keyring(let keyring, _, _, _) = target { service = keyring }
        do {
            try Leftovers.remove(
                from: note.target,
                of: record.id,
                epoch: note.position.epoch,
                place.paths,
                service
            )
            try context.config(place).change(place.key) { present in
                guard var present, present.move == note else { return present }
                present.move = nil
                return present
            }
            return true
        } catch {
            return false
        }
    }
}
