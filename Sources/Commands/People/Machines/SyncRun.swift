internal import AgentProtocol
internal import HSIP
internal import LogCarriers
internal import Presentation
internal import RecordStore
internal import SharedLog
internal import VaultKit

/// One sync: sends the changes of this machine to the shared log, and accepts the changes of other machines.
struct SyncRun {
    /// The number of attempts, because other machines may write at the same time.
    private static let rounds = 10

    private let context: Context
    private let vault: any VaultService
    private let access: LogAccess
    /// The newest entry that the vault accepted; nil before the first.
    private var newest: LogPlace?
    private var head: UInt64 { newest?.place ?? 0 }
    /// True if the log was never read.
    private var isNew: Bool
    /// True if a person agreed that many secrets are deleted here.
    private var acceptsRemovals: Bool
    /// True if a person agreed to delete elsewhere the records that a restore lost here.
    private let deletesMissing: Bool
    /// True if it is unknown whether the log accepted the newest change.
    private var isUnanswered = false
    /// The result so far.
    private(set) var result = SyncResult()

    /// Prepares a sync.
    ///
    /// - Throws: `noLog`; `machineRevoked` on a machine that others removed.
    init(
        _ context: Context,
        _ vault: any VaultService,
        _ login: EtcdCredentials? = nil,
        acceptsRemovals: Bool = false,
        deletesMissing: Bool = false
    ) async throws {
        guard let state = try await vault(Operations.logState) else { throw LogError(.noLog) }
        guard state.stage != .removed else { throw LogError(.machineRevoked) }
        guard state.stage != .asked, let log = state.log, let address = state.address else {
            throw Failure(
                .noLog,
                "this machine waits for the ADMIT code that answers its JOIN code",
                hint: "hsip accept"
            )
        }
        (self.context, self.vault) = (context, vault)
        (self.acceptsRemovals, self.deletesMissing) = (acceptsRemovals, deletesMissing)
        isNew = state.stage == .admitted
        let own: EtcdCredentials?
        if let login { own = login } else { own = try await LogAccess.login(at: address, of: vault) }
        access = try LogAccess(context, log, at: address, own)
        result.machine = state.name
    }

    /// The hash of an earlier entry, after a check that its links lead to the newest accepted entry.
    ///
    /// - Throws: `logBehind`; `logForked` if the links do not lead there.
    func hash(at place: UInt64, before own: HeadCode) throws -> [UInt8] {
        guard place < own.place else { return own.hash }
        let held = try access.hold()
        defer { withExtendedLifetime(held) {} }
        var (next, last) = (place, LogHead.none)
        var found: [UInt8] = []
        while next <= own.place {
            let page = try access.reach { try $0.read(from: next, bytes: LogAccess.pageSize) }
            guard !page.entries.isEmpty else { throw LogError(.logBehind, at: next) }
            for entry in page.entries where next <= own.place {
                let frame = try EntryFrame(entry)
                guard frame.place == next, next == place || frame.link == last.hash else {
                    throw LogError(.logForked, at: next)
                }
                if next == place { found = frame.head.hash }
                (last, next) = (frame.head, next + 1)
            }
        }
        guard last.hash == own.hash else { throw LogError(.logForked, at: own.place) }
        return found
    }

    /// Runs one sync; `login` is the login of an earlier sync in the same command.
    static func run(
        _ context: Context,
        _ vault: any VaultService,
        _ login: EtcdCredentials? = nil,
        acceptsRemovals: Bool = false,
        deletesMissing: Bool = false
    ) async throws -> SyncResult {
        var run = try await SyncRun(
            context,
            vault,
            login,
            acceptsRemovals: acceptsRemovals,
            deletesMissing: deletesMissing
        )
        try await run.run()
        return run.result
    }

    /// Sends and reads until nothing is left.
    ///
    /// The run sends first: if that succeeds, no other machine has written.
    private mutating func run() async throws {
        let held = try access.hold()
        defer { withExtendedLifetime(held) {} }
        // Another sync may have read the log while this one waited for the lock.
        if isNew { isNew = try await vault(Operations.logState)?.stage == .admitted }
        if isNew {
            do { try await enter() } catch { throw Self.ofFirstRead(error) }
        }
        var isRead = isNew
        var tries = 0
        while tries < Self.rounds {
            let delivery = try await vault(Operations.giveLog)
            newest = delivery.head
            result.add(delivery)
            if delivery.entries.isEmpty {
                guard !isRead else { return }
                _ = try await read(after: delivery)
            } else if try await send(delivery, isRead: isRead) {
                tries = 0
            } else {
                tries = try await read(after: delivery) ? 0 : tries + 1
            }
            isRead = true
        }
        throw isUnanswered ? access.unanswered : LogError(.logBusy)
    }

    /// Sends entries to the log; returns false if the log must be read first, or its answer was lost.
    private mutating func send(_ delivery: LogDelivery, isRead: Bool) async throws -> Bool {
        isUnanswered = false
        // A restored vault first reads the entries that this machine knew before.
        if !isRead, delivery.place > head, let seen = try access.seen(), seen.place > head { return false }
        var entries = delivery.entries
        var place = delivery.place
        if place <= head {
            // The vault knows the first entries already; a folder may have lost the others in a crash.
            let known = try access.reach { try $0.read(from: place, bytes: LogAccess.pageSize) }.entries
            let same = zip(known, entries).prefix { $0 == $1 }.count
            entries.removeFirst(same)
            place += UInt64(same)
            guard !entries.isEmpty else { return false }
        }
        // git's copy may hold another history from an earlier sync, so the newest entry is compared.
        let isNext = place == head + 1 && head > 0
        let outcome = try access.reach {
            isNext ? try $0.create(entries, at: place, after: isNewest) : try $0.create(entries, at: place)
        }
        isUnanswered = outcome == .unknown
        guard outcome == .created else { return false }
        try await take(Array(entries.dropFirst(head >= place ? Int(head - place) : 0)))
        result.sent += delivery.count
        return true
    }

    private func isNewest(_ entry: [UInt8]) -> Bool { LogHead.hash(of: entry) == newest?.hash }

    /// Accepts the entries of others; without new entries, it compares the newest accepted entry.
    ///
    /// - Parameter delivery: The entries that could not be sent.
    /// - Returns: True if the log has these entries already.
    /// - Throws: `logBehind` if the log ends earlier; the errors of the vault.
    private mutating func read(after delivery: LogDelivery) async throws -> Bool {
        var page = try access.reach { try $0.latest(from: max(head, 1), bytes: LogAccess.pageSize) }
        let range = page.range
        // This machine made the log, and may never have sent it.
        let isUnsent = delivery.place > 0 && delivery.place <= head
        guard range.newest >= max(head, 1) else {
            if !isUnsent { try await take([]) }
            return false
        }
        // This machine saw a later entry before its vault was restored.
        if let seen = try access.seen(), range.newest < seen.place {
            throw LogError(.logBehind, at: seen.place)
        }
        var hasSent = false
        var place = max(head, range.oldest)
        while place <= range.newest {
            // The first page was read together with the range.
            if place > max(head, 1) || page.entries.isEmpty {
                page = try access.reach { try $0.read(from: place, bytes: LogAccess.pageSize) }
            }
            guard let first = page.entries.first else { throw LogError(.logBehind, at: place) }
            let isOld = page.entries.count == 1 && isNewest(first) && delivery.entries.isEmpty
            if !isOld || deletesMissing { try await take(page.entries) }
            if let last = delivery.entries.last, page.entries.contains(last) { hasSent = true }
            place += UInt64(page.entries.count)
        }
        if hasSent { result.sent += delivery.count }
        return hasSent
    }

    /// Reads a log for the first time; if a recovery was interrupted, first sends the entry that admits this machine.
    private mutating func enter() async throws {
        let waiting = try await vault(Operations.giveLog)
        if !waiting.entries.isEmpty {
            _ = try access.reach { try $0.create(waiting.entries, at: waiting.place) }
        }
        do {
            try await readWhole()
        } catch VaultError.log(let error)
            where !waiting.entries.isEmpty && [.logBehind, .logForked].contains(error.reason)
        {
            throw access.unfinished
        }
    }

    /// The error of a first read, with a hint how to forget the log.
    ///
    /// Other hints do not help: this machine has no history to compare yet, and cannot show another JOIN code.
    private static func ofFirstRead(_ error: any Error) -> any Error {
        guard case VaultError.log = error else { return error }
        var failure = Failure(error)
        guard ["hsip sync head", "hsip setup sync join"].contains(failure.hint) else { return error }
        failure.hint = "hsip setup sync --undo"
        return failure
    }

    /// Reads a log for the first time, from its beginning to its end.
    private mutating func readWhole() async throws {
        do {
            try await take(try access.readWhole())
        } catch AgentError.refused(.requestTooLarge) {
            throw LogAccess.tooLarge("sync")
        }
    }

    /// Passes entries to the vault, which stores their records in one commit.
    private mutating func take(_ entries: [[UInt8]]) async throws {
        var page = LogIntake(entries, anchor: try access.seen())
        page.deleted = result.deleted
        (page.acceptsRemovals, page.deletesMissing) = (acceptsRemovals, deletesMissing)
        let report: LogReport
        do {
            report = try await vault(Operations.takeLog, page)
        } catch VaultError.log(let error) where error.reason == .massRemoval && context.terminal.isAvailable {
            guard
                try context.terminal.confirm(
                    "Other machines deleted a fifth or more of all shared secrets. Delete them here, too?",
                    flag: "--accept-removals"
                )
            else { throw error }
            acceptsRemovals = true
            page.acceptsRemovals = true
            report = try await vault(Operations.takeLog, page)
        }
        context.hasChanged = true
        try access.remember(report.head)
        newest = report.head
        result.add(report)
        guard !report.isRevoked else { throw LogError(.machineRevoked) }
    }
}
