internal import Audit

/// Which entries of programs on the bus are in the log by now: a program that repeats itself does not push what others did
/// out of it.
///
/// The first of equal entries is written before anything happens. Those that follow within the program's minute are counted,
/// and how many there were is an entry when that is over. It holds what was unasked only: answers of people are always
/// written.
struct BusLog: Sendable {
    /// Seconds for which equal entries are one.
    static let minute: UInt64 = 60
    /// Entries of a program in its minute; what is more has one for each act and verdict.
    static let entries = 256
    /// Programs that are watched; the one whose minute ends first makes room.
    static let programs = 64
    /// Counts of one minute that are entries of their own; where there are more, those of an act are one.
    static let counts = 32
    /// The reason of what came after too many entries.
    static let flood = "flood"

    private struct Equal: Hashable, Sendable {
        let kind: AuditKind
        let verdict: AuditVerdict
        let reason: String
        let act: String
        let subject: String
        let target: String
        let program: String

        init(_ entry: AuditEntry) {
            (kind, verdict, reason, act) = (entry.kind, entry.verdict, entry.reason, entry.act)
            (subject, target, program) = (entry.subject, entry.target, entry.program)
        }
    }

    private struct Counted: Sendable {
        var entry: AuditEntry
        var more = 0
    }

    private struct Minute: Sendable {
        let end: UInt64
        var written = 0
        var counted: [Equal: Counted] = [:]
    }

    private var minutes: [String: Minute] = [:]

    /// What has to be written before something may happen.
    struct Due: Sendable {
        /// How often there was what was counted; it happened already, so none of it may be lost for the other.
        var counts: [AuditEntry]
        /// The entry, or the one that stands for many; nil where that is in the log.
        let entry: AuditEntry?
    }

    /// Takes an entry of a program: it is counted, or has to be written.
    ///
    /// - Parameters:
    ///   - entry: with its verdict and its reason.
    ///   - program: its name.
    ///   - moment: seconds of a clock that cannot be set.
    /// - Returns: what has to be written. Of `entry` `wrote` has to be told then.
    mutating func take(_ entry: AuditEntry, of program: String, at moment: UInt64) -> Due {
        var counts = endMinutes(at: moment)
        counts += renew(entry, of: program)
        guard let minute = minutes[program] else { return Due(counts: counts, entry: entry) }
        var entry = entry
        if minute.counted[Equal(entry)] == nil, minute.written >= Self.entries {
            entry = Self.standIn(for: entry, program)
        }
        guard minute.counted[Equal(entry)] != nil else { return Due(counts: counts, entry: entry) }
        minutes[program]?.counted[Equal(entry)]?.entry = entry
        minutes[program]?.counted[Equal(entry)]?.more += 1
        return Due(counts: counts, entry: nil)
    }

    /// An entry that `take` gave is in the log: equal ones are counted from now on.
    ///
    /// - Returns: the counts of a program that is not watched any longer.
    mutating func wrote(_ entry: AuditEntry, of program: String, at moment: UInt64) -> [AuditEntry] {
        var counts: [AuditEntry] = []
        if minutes[program] == nil {
            if minutes.count >= Self.programs, let first = minutes.min(by: { $0.value.end < $1.value.end }) {
                counts = end(first.key)
            }
            minutes[program] = Minute(end: moment + Self.minute)
        }
        minutes[program]?.written += 1
        minutes[program]?.counted[Equal(entry)] = Counted(entry: entry)
        return counts
    }

    /// Ends all minutes, as the vault is about to be locked.
    ///
    /// - Returns: what was counted.
    mutating func end() -> [AuditEntry] { minutes.keys.sorted().flatMap { end($0) } }

    /// What is read of an item after a change of it is something else.
    private mutating func renew(_ entry: AuditEntry, of program: String) -> [AuditEntry] {
        guard entry.kind != .read, entry.verdict == .allowed, !entry.subject.isEmpty,
            let minute = minutes[program]
        else { return [] }
        let reads = minute.counted.filter { $0.key.kind == .read && $0.key.subject == entry.subject }
        for (equal, _) in reads { minutes[program]?.counted[equal] = nil }
        return reads.values.filter { $0.more > 0 }.map { Self.count($0.more, of: $0.entry) }
    }

    private mutating func endMinutes(at moment: UInt64) -> [AuditEntry] {
        minutes.filter { $0.value.end <= moment }.keys.sorted().flatMap { end($0) }
    }

    private mutating func end(_ program: String) -> [AuditEntry] {
        guard let minute = minutes.removeValue(forKey: program) else { return [] }
        var counted = minute.counted.values.filter { $0.more > 0 }
        if counted.count > Self.counts {
            var sums: [Equal: Counted] = [:]
            for one in counted {
                let entry = Self.standIn(for: one.entry, program)
                sums[Equal(entry), default: Counted(entry: entry)].more += one.more
            }
            counted = Array(sums.values)
        }
        return counted.sorted { ($0.entry.subject, $0.entry.act) < ($1.entry.subject, $1.entry.act) }
            .map { Self.count($0.more, of: $0.entry) }
    }

    private static func count(_ more: Int, of entry: AuditEntry) -> AuditEntry {
        var entry = entry
        entry.reason += ":\(more)more"
        return entry
    }

    /// The entry that stands for all of an act by a program that has too many of its own.
    private static func standIn(for entry: AuditEntry, _ program: String) -> AuditEntry {
        var entry = entry
        (entry.subject, entry.target, entry.reason, entry.program) = ("", "", flood, program)
        return entry
    }
}
