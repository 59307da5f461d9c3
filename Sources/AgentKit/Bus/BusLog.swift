internal import Audit
internal import VaultPolicy

/// Which entries of programs on the bus are in the log by now: a program that repeats itself does not push what others did
/// out of it, and does not hide by it what it reads.
///
/// The first of equal entries is written before anything happens. Those that follow within the program's minute are counted,
/// and how many there were is an entry when that is over. It holds what was unasked only: answers of people are always
/// written.
///
/// The first read of an item is written with the item, whatever else there was, where a person let the program have it.
/// Reads of what a program made itself have limits of their own, which its changes do not use up.
struct BusLog: Sendable {
    /// Seconds for which equal entries are one.
    static let minute: UInt64 = 60
    /// Entries of a program in its minute, besides first reads; what is more has one for each act and verdict.
    static let entries = 256
    /// Entries of all programs in a minute besides first reads, and first reads: so many of each.
    static let entriesInAll = 1_024
    /// What a program may have of each where all of them together had too many.
    static let reserve = 16
    /// Programs that have a minute of their own; those that come then share one until one of these is over.
    static let programs = 64
    /// Counts of one minute that are entries of their own; where there are more, those of an act are one.
    static let counts = 32
    /// The reason of what came after too many entries.
    static let flood = "flood"

    /// What makes entries of a program equal: not the programs that started it, which it chooses itself.
    private struct Equal: Hashable, Sendable {
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
            subject = entry.kind == .read ? BusLog.item(entry.subject) : entry.subject
            target = entry.target
            // What stands for many may stand for those of several programs.
            self.program = entry.reason == BusLog.flood ? entry.program : program
        }
    }

    private struct Counted: Sendable {
        var entry: AuditEntry
        var more = 0
        /// The program changed the item since: what it reads of it now is something else.
        var isOld = false
    }

    private struct Minute: Sendable {
        let end: UInt64
        var reads = 0
        var others = 0
        var counted: [Equal: Counted] = [:]
    }

    /// The minute that programs share which have none of their own, or cannot be told.
    private static let shared = ""

    private var minutes: [String: Minute] = [:]
    /// The entries of all of them.
    private var all = Minute(end: 0)

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
        let place = place(of: program)
        counts += renew(entry, of: program, in: place)
        var entry = entry
        if let first = minutes[place]?.counted[Equal(entry, of: program)] {
            guard !first.isOld || !hasRoom(isRead: false, in: place) else {
                return Due(counts: counts, entry: entry)
            }
        } else if !Self.isLetHave(entry), !hasRoom(isRead: Self.isRead(entry), in: place) {
            entry = Self.standIn(for: entry, place)
        }
        let equal = Equal(entry, of: program)
        guard minutes[place]?.counted[equal] != nil else { return Due(counts: counts, entry: entry) }
        minutes[place]?.counted[equal]?.entry = entry
        minutes[place]?.counted[equal]?.more += 1
        return Due(counts: counts, entry: nil)
    }

    /// An entry that `take` gave is in the log: equal ones are counted from now on.
    mutating func wrote(_ entry: AuditEntry, of program: String, at moment: UInt64) {
        let place = place(of: program)
        let equal = Equal(entry, of: program)
        if all.end <= moment { all = Minute(end: moment + Self.minute) }
        var minute = minutes[place] ?? Minute(end: moment + Self.minute)
        // A read that is written again is no first one.
        if Self.isRead(entry), minute.counted[equal] == nil {
            (minute.reads, all.reads) = (minute.reads + 1, all.reads + 1)
        } else {
            (minute.others, all.others) = (minute.others + 1, all.others + 1)
        }
        minute.counted[equal] = Counted(entry: entry, more: minute.counted[equal]?.more ?? 0)
        minutes[place] = minute
    }

    /// Ends all minutes, as the vault is about to be locked.
    ///
    /// - Returns: what was counted.
    mutating func end() -> [AuditEntry] { minutes.keys.sorted().flatMap { end($0) } }

    /// Where the entries of a program are counted.
    ///
    /// No minute ends early: another one would begin with all its entries.
    private func place(of program: String) -> String {
        let own = minutes.count - (minutes[Self.shared] == nil ? 0 : 1)
        return minutes[program] != nil || own < Self.programs ? program : Self.shared
    }

    private func hasRoom(isRead: Bool, in place: String) -> Bool {
        let own = minutes[place].map { isRead ? $0.reads : $0.others } ?? 0
        let sum = isRead ? all.reads : all.others
        return own < Self.reserve || sum < Self.entriesInAll && (isRead || own < Self.entries)
    }

    /// What is read of an item after a change of it is something else, as long as there is room to write that.
    private mutating func renew(_ entry: AuditEntry, of program: String, in place: String) -> [AuditEntry] {
        guard entry.kind != .read, entry.verdict == .allowed, !entry.subject.isEmpty,
            let minute = minutes[place]
        else { return [] }
        let item = Self.item(entry.subject)
        var counts: [AuditEntry] = []
        for (equal, read) in minute.counted
        where equal.kind == .read && equal.subject == item && equal.program == program && !read.isOld {
            guard hasRoom(isRead: false, in: place) else { break }
            minutes[place]?.counted[equal] = Counted(entry: read.entry, isOld: true)
            guard read.more > 0 else { continue }
            counts.append(Self.count(read.more, of: read.entry))
            minutes[place]?.others += 1
            all.others += 1
        }
        return counts
    }

    private mutating func endMinutes(at moment: UInt64) -> [AuditEntry] {
        if all.end <= moment { all = Minute(end: 0) }
        return minutes.filter { $0.value.end <= moment }.keys.sorted().flatMap { end($0) }
    }

    private mutating func end(_ place: String) -> [AuditEntry] {
        guard let minute = minutes.removeValue(forKey: place) else { return [] }
        var counted = minute.counted.values.filter { $0.more > 0 }
        if counted.count > Self.counts {
            var sums: [Equal: Counted] = [:]
            for one in counted {
                let entry = Self.standIn(for: one.entry, place)
                sums[Equal(entry, of: place), default: Counted(entry: entry)].more += one.more
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

    /// The entry that stands for all of an act by a program, or by those of the shared minute, that has too many of its own.
    private static func standIn(for entry: AuditEntry, _ place: String) -> AuditEntry {
        var entry = entry
        (entry.subject, entry.target, entry.reason, entry.program) = ("", "", flood, place)
        return entry
    }

    private static func isRead(_ entry: AuditEntry) -> Bool {
        entry.kind == .read && entry.verdict == .allowed
    }

    /// Whether a person, or a rule of one, let the program read the item: it cannot make such items by itself.
    private static func isLetHave(_ entry: AuditEntry) -> Bool {
        isRead(entry) && entry.act == ItemOperation.get && entry.reason != Row.Name.ownItem.rawValue
    }

    /// The identifier in the name of an item, which is `LABEL (ID)` or the identifier alone; of anything else the whole name.
    private static func item(_ name: String) -> String {
        guard name.utf8.last == UInt8(ascii: ")"), let start = name.utf8.lastIndex(of: UInt8(ascii: "("))
        else {
            return name
        }
        return String(name[name.utf8.index(after: start)...].dropLast())
    }
}
