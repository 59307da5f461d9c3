internal import AgentProtocol

/// When questions of programs on the bus are refused unasked, because the person said no to them before.
///
/// By a clock that cannot be set, in seconds. A lock does not end it, as any program on the bus may lock the vault.
struct QuietTimes: Sendable {
    /// Seconds for which a no to a program about an item holds.
    static let afterNo: UInt64 = 600
    /// Seconds for which no question of a program is asked after several no's.
    static let afterMany: UInt64 = 1_800
    /// As many no's within `afterNo` are several.
    static let several = 3
    /// Questions without an answer, of all programs that a person never said yes to, in a minute at most.
    static let perMinute = 6
    /// Seconds for which a program does not bring the window for the passphrase back that was closed: after the first time,
    /// the second, and each one more.
    static let afterWindow: [UInt64] = [60, 300, 1_800]
    /// Seconds after which a closed window is forgotten.
    static let windowMemory: UInt64 = 7_200
    /// Programs that are remembered; the oldest goes.
    private static let maximum = 256

    private struct No: Sendable {
        let program: String
        let item: String
        /// The number of the question: two may be refused within a second.
        let question: UInt64
        let moment: UInt64
    }

    private struct Window: Sendable {
        var count = 0
        var moment: UInt64 = 0

        var end: UInt64 { moment + afterWindow[min(max(count, 1), afterWindow.count) - 1] }
    }

    private var refused: [No] = []
    private var questions: UInt64 = 0
    private var quietUntil: [String: UInt64] = [:]
    /// When questions were left without an answer.
    private var unanswered: [UInt64] = []
    /// Programs that a person said yes to, the newest last.
    private var accepted: [String] = []
    private var windows: [String: Window] = [:]

    /// Whether a question of a program about an item would come too soon.
    func refuses(_ item: String, to program: String, at moment: UInt64) -> Bool {
        if let end = quietUntil[program], moment < end { return true }
        return refused.contains { no in
            no.program == program && no.item == item && moment < no.moment + Self.afterNo
        }
    }

    /// Whether as many questions of this minute were left without an answer as may be, for a program that no person said yes
    /// to so far.
    func refusesPlace(to program: String, at moment: UInt64) -> Bool {
        !accepted.contains(program) && unanswered.count { moment < $0 + 60 } >= Self.perMinute
    }

    /// A question was left without an answer, or refused.
    mutating func leftUnanswered(at moment: UInt64) {
        unanswered = unanswered.filter { moment < $0 + 60 }.suffix(Self.perMinute - 1) + [moment]
    }

    /// A person said yes to a program.
    mutating func said(yesTo program: String) {
        accepted.removeAll { $0 == program }
        accepted = accepted.suffix(Self.maximum - 1) + [program]
    }

    /// A person said no to a program, or its question was left without an answer.
    mutating func said(noTo program: String, about items: [String], at moment: UInt64) {
        refused.removeAll { moment >= $0.moment + Self.afterNo }
        quietUntil = quietUntil.filter { moment < $0.value }
        // One question counts once for its program, however many items it had.
        let earlier = Set(refused.lazy.filter { $0.program == program }.map(\.question))
        if earlier.count + 1 >= Self.several { quietUntil[program] = moment + Self.afterMany }
        questions += 1
        refused += items.prefix(Self.maximum).map { item in
            No(program: program, item: item, question: questions, moment: moment)
        }
        refused = refused.suffix(Self.maximum)
    }

    /// Whether the window for the passphrase would come back too soon for a program.
    func refusesWindow(to program: String, at moment: UInt64) -> Bool {
        windows[program].map { moment < $0.end } ?? false
    }

    /// A person closed the window for the passphrase that named a program.
    mutating func closedWindow(of program: String, at moment: UInt64) {
        windows = windows.filter { moment < $0.value.moment + Self.windowMemory }
        if windows[program] == nil, windows.count >= Self.maximum,
            let oldest = windows.min(by: { $0.value.moment < $1.value.moment })
        {
            windows[oldest.key] = nil
        }
        windows[program, default: Window()].count += 1
        windows[program]?.moment = moment
    }

    /// The programs that are refused unasked, by name; one that cannot be told has none.
    func programs(at moment: UInt64) -> [QuietProgram] {
        var items: [String: Set<String>] = [:]
        var ends: [String: UInt64] = [:]
        func quiet(_ program: String, until end: UInt64) {
            guard moment < end else { return }
            ends[program] = max(ends[program] ?? 0, end)
        }
        for no in refused where moment < no.moment + Self.afterNo {
            items[no.program, default: []].insert(no.item)
            quiet(no.program, until: no.moment + Self.afterNo)
        }
        for (program, end) in quietUntil { quiet(program, until: end) }
        for (program, window) in windows { quiet(program, until: window.end) }
        let soon = ends.sorted { $0.key < $1.key }.prefix(QuietProgram.maximum)
        return soon.map { program, end in
            let isForAll = (quietUntil[program] ?? 0) > moment || (windows[program]?.end ?? 0) > moment
            return QuietProgram(
                program: program,
                items: isForAll ? nil : items[program]?.count,
                seconds: Int(clamping: end - moment)
            )
        }
    }

    /// Forgets everything: the person asks for programs to be heard again.
    mutating func end() { self = QuietTimes() }
}
