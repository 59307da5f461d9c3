import RecordStore
import Secrets
import SharedLog
import Support
import VaultCrypto

@testable import VaultKit

/// Vaults in memory that share a log, and the line of entries between them.
final class SyncWorld {
    struct Machine {
        let number: Int
        let store: MemoryStore
        let keys: MachineKeys
        /// Seconds by which its clock is wrong.
        var skew: Int64 = 0
        var conflicts = 0
        var renamed: [String: String] = [:]
        /// A record that cannot be read.
        var damaged: RecordID?
        /// What an open vault knows of the log; machines with even numbers are opened anew for each step.
        var memory = LogMemory()
    }

    private(set) var machines: [Machine] = []
    /// The entries that the server has.
    var line: [[UInt8]] = []
    var time: UInt64 = 1_800_000_000
    private let log = LogID(digest: [UInt8](repeating: 3, count: 16))

    /// A log that the first machine founds and the others join.
    init(machines count: Int) throws {
        for number in 0..<count {
            let store = MemoryStore(entropy: .system, now: { 1_800_000_000_000 })
            machines.append(
                Machine(
                    number: number,
                    store: store,
                    keys: try MachineKeys(entropy: .seeded([9, UInt8(number)]))
                )
            )
        }
        let signer = EntrySigner(keys: machines[0].keys, time: 1, generation: 1, entropy: .system)
        let founded = try LogBook.founding(log, name: "machine0", objects: [], signer)
        line = founded.entries.map(\.bytes)
        var book = founded.book
        for number in 1..<max(1, count) {
            let admission = try LogOperation.Admission(
                signKey: machines[number].keys.signKey,
                boxKey: machines[number].keys.boxKey,
                role: .keeper,
                name: "machine\(number)",
                log: log,
                by: machines[0].keys
            )
            let entries = try book.change([.add(admission)], signer)
            var facts = EntryContext(boxSecrets: [machines[0].keys.boxSecret], generation: 1)
            facts.sent = Set(entries.map(\.head.hash))
            for entry in entries { _ = try book.take(entry.bytes, facts) }
            line += entries.map(\.bytes)
        }
        for machine in machines {
            var stored = StoredLog(
                LogSelf(
                    keys: machine.keys,
                    name: "machine\(machine.number)",
                    address: (1, "file:///x"),
                    stage: .member,
                    epoch: LogSelf.Epoch(log: log, number: 1, key: book.key)
                )
            )
            stored.book = LogBook(
                machine: machine.keys.id,
                head: book.head,
                epoch: 1,
                key: book.key,
                state: book.state,
                chain: ChainList(endingAt: book.head.place, [book.head.hash]),
                compaction: nil,
                unfinished: nil,
                awaitsRekey: false,
                ownPlace: 0,
                newestWhole: 1
            )
            _ = try machine.store.commit(ChangeSet(floor: 0, changes: try stored.changes()))
        }
    }

    func damage(_ who: Int, _ id: RecordID?) { machines[who].damaged = id }

    func skew(_ who: Int, _ seconds: Int64) { machines[who].skew = seconds }

    private func now(_ who: Int) -> UInt64 { UInt64(Int64(time) + machines[who].skew) }

    /// Does something with the secrets of one machine, as its person does.
    func edit(_ who: Int, _ act: (inout CredentialTransaction, UInt64) throws -> Void) throws {
        try edit(who, CredentialTransaction.self, act)
    }

    /// The same with records of any kind.
    func edit<Transaction: RecordTransaction>(
        _ who: Int,
        _: Transaction.Type,
        _ act: (inout Transaction, UInt64) throws -> Void
    ) throws {
        let now = now(who)
        let changes = try read(who) { reader in
            var records = try Transaction(reader, now: now, entropy: .system)
            try asVaultError { try act(&records, now) }
            return try records.changes()
        }
        if let changes {
            let commit = Vault.Commit(
                changes: changes,
                revision: try machines[who].store.commit(changes)
            )
            machines[who].memory.records = machines[who].memory.records?.following(commit)
        }
    }

    /// What a person tries to do, who may be refused.
    func attempt<Transaction: RecordTransaction>(
        _ who: Int,
        _ kind: Transaction.Type,
        _ act: (inout Transaction, UInt64) throws -> Void
    ) throws {
        do { try edit(who, kind, act) } catch is VaultError {}
    }

    /// Reads what is new, and sends what was changed.
    ///
    /// Stops after reading if `sends` is false.
    @discardableResult
    func sync(_ who: Int, sends: Bool = true, accepts: Bool = true) throws -> SyncTransaction.Report {
        var report = SyncTransaction.Report()
        for _ in 0..<20 {
            let step = try step(who, accepts: accepts)
            (report.missing, report.received) = (step.report.missing, report.received + step.report.received)
            report.conflicts += step.report.conflicts
            report.renamed.merge(step.report.renamed) { $1 }
            report.removedElsewhere += step.report.removedElsewhere
            report.hostKeysDiffer.merge(step.report.hostKeysDiffer) { $1 }
            guard sends, let out = step.out, let first = out.entries.first else { break }
            // Create if absent.
            guard UInt64(line.count) + 1 == first.head.place else { continue }
            line += out.entries.map(\.bytes)
        }
        machines[who].conflicts += report.conflicts.count
        machines[who].renamed.merge(report.renamed) { $1 }
        return report
    }

    /// One commit: what is new on the line, then what was changed here.
    func step(
        _ who: Int,
        gives: Bool = true,
        accepts: Bool = true,
        deletesMissing: Bool? = nil
    ) throws -> (report: SyncTransaction.Report, out: LogOut?) {
        let now = now(who)
        let memory = machines[who].memory
        let (transaction, sync) = try read(who) { reader in
            var transaction = try LogTransaction(reader, memory, now: now, entropy: .system)
            if let fault = transaction.fault { throw fault }
            var sync = try transaction.begin()
            guard let head = sync.log.book?.head.place else { throw LogError(.notAllowed) }
            let entries = Array(line.dropFirst(Int(head) - 1))
            try sync.take(
                entries,
                SyncTransaction.Facts(acceptsRemovals: accepts, deletesMissing: deletesMissing ?? accepts)
            )
            if gives { _ = try sync.give() }
            transaction.sync = sync
            return (transaction, sync)
        }
        let commit = try transaction.changes().map { changes in
            Vault.Commit(changes: changes, revision: try machines[who].store.commit(changes))
        }
        if who % 2 == 1 {
            let memory = transaction.memory
            machines[who].memory = commit.map { memory.following($0) } ?? memory
        }
        return (sync.report, sync.log.out)
    }

    /// What the memory of a machine says of its log that its records do not.
    func wrongMemory(_ who: Int) throws -> [String] {
        let memory = machines[who].memory
        return try read(who) { reader in
            var wrong: [String] = []
            guard let objects = memory.objects, let fresh = try StoredLog(reader) else { return ["nothing"] }
            if let book = fresh.book {
                let known = try StoredLog(reader, objects)
                if known?.index.rows.map(\.id) != fresh.index.rows.map(\.id)
                    || known?.index.rows.map(\.row) != fresh.index.rows.map(\.row)
                {
                    wrong.append("rows")
                }
                if known?.book?.state.digest(epoch: book.epoch) != book.state.digest(epoch: book.epoch) {
                    wrong.append("state")
                }
                if fresh.objects?.revisions != objects.revisions { wrong.append("revisions") }
            }
            let records = SurveyedReader(reader, memory.records)
            for (kind, infos) in Dictionary(grouping: try reader.list(nil), by: \.id.kind)
            where try records.list(kind) != infos {
                wrong.append(kind.rawValue)
            }
            if records.found == nil { wrong.append("damaged") }
            return wrong
        }
    }

    /// Puts the vault of a machine back to an older state of its records.
    ///
    /// Without `isSaid` the vault does not know of it, as if its file was copied back.
    func restore(_ who: Int, from copy: [RecordDraft], isSaid: Bool = true) throws {
        let now = try records(who)
        var changes = now.map { Change.delete($0.id, expecting: nil) }
        let kept = Set(copy.map(\.id))
        changes.removeAll { kept.contains($0.id) }
        var set = ChangeSet(floor: try read(who) { $0.floor }, changes: changes)
        let revisions = Dictionary(uniqueKeysWithValues: try infos(who).map { ($0.id, $0.revision) })
        for draft in copy { set.put(draft, expecting: revisions[draft.id] ?? 0) }
        _ = try machines[who].store.commit(set)
        if isSaid { machines[who].store.raiseFloor() }
    }

    /// Loses a record, as a repair does.
    func lose(_ who: Int, _ id: RecordID) throws {
        let floor = try read(who) { $0.floor }
        _ = try machines[who].store.commit(ChangeSet(floor: floor, changes: [.delete(id, expecting: nil)]))
        machines[who].store.raiseFloor()
    }

    /// Every record of a machine, to be put back later.
    func records(_ who: Int) throws -> [RecordDraft] {
        try read(who) { reader in
            try reader.list(nil).compactMap { info in
                try reader.find(info.id).map { record in
                    RecordDraft(
                        id: info.id,
                        attributes: info.attributes,
                        expires: info.expires,
                        body: record.body,
                        uid: info.uid,
                        created: info.created
                    )
                }
            }
        }
    }

    private func infos(_ who: Int) throws -> [RecordInfo] { try read(who) { try $0.list(nil) } }

    /// What a person sees: name, type, tags, trash and the values of all versions.
    ///
    /// A secret that was put into the trash before it was ever shared stays on its machine and counts only with `trash`.
    func list(_ who: Int, trash: Bool = false) throws -> [String: String] {
        try read(who) { reader in
            let index = try StoredLog(reader)?.index
            let secrets = try CredentialTransaction(reader, now: self.time, entropy: .system)
            var found: [String: String] = [:]
            var listing = secrets
            for info in try listing.list() {
                guard let credential = try secrets.find(info.id.name) else { continue }
                let isShared = ObjectID(bytes: info.uid).flatMap { index?[$0] } != nil
                guard trash || isShared || credential.removedAt == nil else { continue }
                let versions = credential.versions.map { version in
                    version.fields.map { field in
                        let value = field.value.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
                        return "\(field.name)=\(value)"
                    }
                    .joined(separator: ",")
                }
                found[info.id.name] =
                    "\(credential.kind.word) \(credential.tags) \(credential.removedAt ?? 0) \(versions)"
            }
            return found
        }
    }

    /// The digest of the state that a machine sees.
    func digest(_ who: Int) throws -> [UInt8] {
        try read(who) { reader in
            guard let book = try StoredLog(reader)?.book else { return [] }
            return book.state.digest(epoch: book.epoch)
        }
    }

    func read<R>(_ who: Int, _ body: (any RecordReader) throws -> R) throws -> R {
        var result: Result<R, any Error>?
        let machine = machines[who]
        let store: any Store = machine.damaged.map { DamagedStore(machine.store, $0) } ?? machine.store
        try store.read { reader throws(StoreError) in
            result = Result { try body(reader) }
        }
        guard let result else { throw LogError(.notAllowed) }
        return try result.get()
    }
}
