internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// Which entries of programs are in the audit log already, so that a program that repeats itself neither pushes the acts of
/// others out of the log nor hides what it reads.
///
/// The first of equal entries is written before its act happens. Further ones within the program's minute are counted, and
/// the number is an entry when the minute is over. Only acts that nobody was asked about come here: answers of people are
/// always written.
///
/// If a person or a rule let the program have an item, the first read of the item is always written. Reads of what a program
/// made itself have limits of their own, which its changes do not use up.
extension RateLimiter {
    /// The reason of an entry for many acts.
    static let flood = "flood"

    /// What makes entries of a program equal: not the programs that started it, which it chooses itself.
    struct Equal: Hashable, Sendable {
        let kind: AuditKind
        let verdict: AuditVerdict
        let reason: String
        let act: String
        let subject: String
        let target: String
        let program: String

        init(_ entry: AuditEntry, of program: String) {
            (kind, verdict, reason, act) = (entry.kind, entry.verdict, entry.reason, entry.act)
            // An item that is read under another label is the same one.
            subject = entry.kind == .read ? RateLimiter.item(entry.subject) : entry.subject
            target = entry.target
            // An entry for many acts may be about several programs.
            self.program = entry.reason == flood ? entry.program : program
        }
    }

    struct Counted: Sendable {
        var entry: AuditEntry
        var more = 0
        /// The program changed the item since, so its next read has another value.
        var isOld = false
    }

    /// The entries of a program in the minute that began with its first one.
    struct Minute: Sendable {
        let end: UInt64
        var reads = 0
        var others = 0
        var counted: [Equal: Counted] = [:]
    }

    /// Entries that have to be written before an act may happen.
    struct Due: Sendable {
        /// Counts of acts that happened already: all of them are written, even if one cannot be.
        var counts: [AuditEntry]
        /// The entry, or its replacement for many acts; nil if it was counted.
        let entry: AuditEntry?
    }

    /// Counts an entry of a program, or says that it has to be written.
    ///
    /// - Parameters:
    ///   - entry: with its verdict and its reason.
    ///   - program: the name of the program.
    /// - Returns: what has to be written. `logged` has to be told of the entry then.
    func due(_ entry: AuditEntry, of program: String) -> Due {
        let moment = clock()
        return state.withLock { $0.due(entry, of: program, at: moment) }
    }

    /// An entry of `due` is in the log: equal ones are counted from now on.
    func logged(_ entry: AuditEntry, of program: String) {
        let moment = clock()
        state.withLock { $0.logged(entry, of: program, at: moment) }
    }

    /// Ends all minutes, as the vault is about to be locked.
    ///
    /// - Returns: the counts.
    func endLog() -> [AuditEntry] {
        state.withLock { state in
            state.allMinutes = Minute(end: 0)
            return state.minutes.keys.sorted().flatMap { state.endMinute(of: $0) }
        }
    }

    /// One entry for further acts of a kind, by a program or in the shared minute, after too many entries.
    fileprivate static func flood(of entry: AuditEntry, by name: String) -> AuditEntry {
        var entry = entry
        (entry.subject, entry.target, entry.reason, entry.program) = ("", "", flood, name)
        return entry
    }

    fileprivate static func count(_ counted: Counted) -> AuditEntry {
        var entry = counted.entry
        entry.reason += ":\(counted.more)more"
        return entry
    }

    fileprivate static func isRead(_ entry: AuditEntry) -> Bool {
        entry.kind == .read && entry.verdict == .allowed
    }

    /// Whether a person, or a rule of one, let the program read the item: it cannot make such items by itself.
    fileprivate static func isGranted(_ entry: AuditEntry) -> Bool {
        isRead(entry) && entry.act == ItemOperation.get && entry.reason != Row.Name.ownItem.rawValue
    }

    /// The identifier in the name of an item, which is `LABEL (ID)` or the identifier alone; of anything else the whole name.
    fileprivate static func item(_ name: String) -> String {
        guard name.utf8.last == UInt8(ascii: ")"), let start = name.utf8.lastIndex(of: UInt8(ascii: "("))
        else { return name }
        return String(name[name.utf8.index(after: start)...].dropLast())
    }
}

extension RateLimiter.State {
    private typealias Limits = RateLimiter.Limits
    private typealias Minute = RateLimiter.Minute
    private typealias Equal = RateLimiter.Equal
    private typealias Counted = RateLimiter.Counted

    fileprivate mutating func due(_ entry: AuditEntry, of program: String, at moment: UInt64)
        -> RateLimiter.Due
    {
        if allMinutes.end <= moment { allMinutes = Minute(end: 0) }
        var counts = minutes.filter { $0.value.end <= moment }.keys.sorted().flatMap { endMinute(of: $0) }
        let name = minuteName(of: program)
        counts += renew(entry, of: program, in: name)
        var entry = entry
        if let first = minutes[name]?.counted[Equal(entry, of: program)] {
            guard !first.isOld || !hasRoom(isRead: false, in: name) else {
                return RateLimiter.Due(counts: counts, entry: entry)
            }
        } else if !RateLimiter.isGranted(entry), !hasRoom(isRead: RateLimiter.isRead(entry), in: name) {
            entry = RateLimiter.flood(of: entry, by: name)
        }
        let equal = Equal(entry, of: program)
        guard minutes[name]?.counted[equal] != nil else {
            return RateLimiter.Due(counts: counts, entry: entry)
        }
        minutes[name]?.counted[equal]?.entry = entry
        minutes[name]?.counted[equal]?.more += 1
        return RateLimiter.Due(counts: counts, entry: nil)
    }

    fileprivate mutating func logged(_ entry: AuditEntry, of program: String, at moment: UInt64) {
        let name = minuteName(of: program)
        let equal = Equal(entry, of: program)
        if allMinutes.end <= moment { allMinutes = Minute(end: moment + Limits.minute) }
        var minute = minutes[name] ?? Minute(end: moment + Limits.minute)
        // A read that is written again is not a first read.
        if RateLimiter.isRead(entry), minute.counted[equal] == nil {
            (minute.reads, allMinutes.reads) = (minute.reads + 1, allMinutes.reads + 1)
        } else {
            (minute.others, allMinutes.others) = (minute.others + 1, allMinutes.others + 1)
        }
        minute.counted[equal] = Counted(entry: entry, more: minute.counted[equal]?.more ?? 0)
        minutes[name] = minute
    }

    /// The minute in which the entries of a program are counted; the minute with an empty name is shared.
    ///
    /// No minute ends early: another one would begin with all its entries.
    private func minuteName(of program: String) -> String {
        let own = minutes.count - (minutes[""] == nil ? 0 : 1)
        return minutes[program] != nil || own < Limits.minutes ? program : ""
    }

    private func hasRoom(isRead: Bool, in name: String) -> Bool {
        let own = minutes[name].map { isRead ? $0.reads : $0.others } ?? 0
        let sum = isRead ? allMinutes.reads : allMinutes.others
        return own < Limits.reserve || sum < Limits.entriesInAll && (isRead || own < Limits.entries)
    }

    /// After a program changed an item, a read of it differs from earlier reads, as long as there is room.
    private mutating func renew(_ entry: AuditEntry, of program: String, in name: String) -> [AuditEntry] {
        guard entry.kind != .read, entry.verdict == .allowed, !entry.subject.isEmpty,
            let minute = minutes[name]
        else { return [] }
        let item = RateLimiter.item(entry.subject)
        var counts: [AuditEntry] = []
        for (equal, read) in minute.counted
        where equal.kind == .read && equal.subject == item && equal.program == program && !read.isOld {
            guard hasRoom(isRead: false, in: name) else { break }
            minutes[name]?.counted[equal] = Counted(entry: read.entry, isOld: true)
            guard read.more > 0 else { continue }
            counts.append(RateLimiter.count(read))
            minutes[name]?.others += 1
            allMinutes.others += 1
        }
        return counts
    }

    fileprivate mutating func endMinute(of name: String) -> [AuditEntry] {
        guard let minute = minutes.removeValue(forKey: name) else { return [] }
        var counted = minute.counted.values.filter { $0.more > 0 }
        if counted.count > Limits.counts {
            var sums: [Equal: Counted] = [:]
            for one in counted {
                let entry = RateLimiter.flood(of: one.entry, by: name)
                sums[Equal(entry, of: name), default: Counted(entry: entry)].more += one.more
            }
            counted = Array(sums.values)
        }
        return counted.sorted { ($0.entry.subject, $0.entry.act) < ($1.entry.subject, $1.entry.act) }.map {
            RateLimiter.count($0)
        }
    }
}
