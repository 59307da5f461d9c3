package import AgentProtocol
internal import LocalState
internal import Synchronization
internal import VaultPolicy

/// A process on the bus, however many connections it has.
struct BusProcess: Hashable, Sendable {
    let pid: Int32
    /// When it began: another one may get the number later.
    let start: UInt64
}

/// Whose turn it is to have a person asked for a program on the bus, and who is refused unasked.
package final class BusQuestions: Sendable {
    private struct State {
        var turns = BusTurns()
        var quiet = QuietTimes()
        /// How many calls of each process wait for a person.
        var waiting: [BusProcess: Int] = [:]
        /// The same of each program.
        var waitingOf: [String: Int] = [:]
        /// How often a program was refused unasked since the person last ended that.
        var refused = UnaskedRefusals()
        /// Programs that had values in a session without encryption.
        var plain: Set<String> = []
    }

    /// Calls of one process that wait for a person, over all its connections.
    static let waitingOfProcess = 16
    /// Those of a program, over all its processes: it can fork.
    static let waitingOfProgram = 64
    /// Those of all programs: the front has to have places left for calls that need nobody.
    static let waitingInAll = 96

    private let state = Mutex(State())
    /// Whether no program of the user could have put a program of this name in its place.
    private let isOfSystem: @Sendable (String) -> Bool

    /// - Parameter isOfSystem: whether no program of the user could have put a program of this name in its place.
    package init(isOfSystem: @escaping @Sendable (String) -> Bool = BusQuestions.isOfSystem) {
        self.isOfSystem = isOfSystem
    }

    /// A sandbox is what its maker says; of the others the file has to be the system's.
    package static func isOfSystem(_ program: String) -> Bool {
        program.hasPrefix("/") ? SystemPlace.holds(program) : !program.isEmpty
    }

    /// A program in here; all that cannot be told are one.
    static func name(of requester: Requester) -> String { requester.bus?.identity?.text ?? "" }

    /// Asks in the turn of a program: one question of each at a time, and of a few programs.
    ///
    /// - Parameters:
    ///   - program: its name.
    ///   - cancellation: the caller's interest.
    ///   - ask: decides again whether there is something to ask, as the question before may have answered it.
    /// - Returns: what `ask` returns.
    /// - Throws: `busy` where too many wait; `cancelled`; what `ask` throws.
    func inTurn<R>(
        of program: String,
        _ cancellation: Cancellation,
        _ ask: () throws(Refusal) -> R
    ) throws(Refusal) -> R {
        try takeTurn(of: program, cancellation)
        defer { giveBack(program) }
        return try ask()
    }

    /// Counts a call that may wait for a person, until `stopWaiting`.
    ///
    /// - Throws: `busy` where as many of its process, of its program or of all wait as may; it is not counted then.
    func wait(_ process: BusProcess, of program: String) throws(Refusal) {
        try state.withLock { state throws(Refusal) in
            guard state.waiting[process, default: 0] < Self.waitingOfProcess,
                state.waitingOf[program, default: 0] < Self.waitingOfProgram,
                state.waiting.values.reduce(0, +) < Self.waitingInAll
            else {
                state.refused.tooMany += 1
                throw .tooManyQuestions
            }
            state.waiting[process, default: 0] += 1
            state.waitingOf[program, default: 0] += 1
        }
    }

    /// A call that was counted waits no longer.
    func stopWaiting(_ process: BusProcess, of program: String) {
        state.withLock { state in
            state.waiting[process] = state.waiting[process].flatMap { $0 > 1 ? $0 - 1 : nil }
            state.waitingOf[program] = state.waitingOf[program].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }

    private func takeTurn(of program: String, _ cancellation: Cancellation) throws(Refusal) {
        guard let signal = try? Cancellation() else { throw .exhausted }
        let isFree = try state.withLock { state throws(Refusal) in
            do throws(Refusal) {
                return try state.turns.take(program, signal)
            } catch {
                state.refused.tooMany += 1
                throw error
            }
        }
        guard !isFree, cancellation.wait(for: signal.descriptor) == .cancelled else { return }
        // Where it came at the same moment, the next one has it.
        if !state.withLock({ $0.turns.leave(signal) }) { giveBack(program) }
        throw .cancelled
    }

    private func giveBack(_ program: String) { state.withLock { $0.turns.giveBack(program) }?.cancel() }

    /// Whether a question of a program about an item would come too soon; that is counted.
    func refuses(_ item: String, to program: String) -> Bool {
        state.withLock { state in
            guard state.quiet.refuses(item, to: program, at: BootTime.now()) else { return false }
            state.refused.afterNo += 1
            return true
        }
    }

    /// Whether programs like this one left as many questions of this minute without an answer as they may, windows for the
    /// passphrase among them; that is counted.
    ///
    /// A program of the system, and one that a person said yes to, has what others leave not counted against it: a
    /// program can copy itself, and be another one each time.
    func refusesPlace(to program: String) -> Bool {
        guard !isOfSystem(program) else { return false }
        return state.withLock { state in
            guard state.quiet.refusesPlace(to: program, at: BootTime.now()) else { return false }
            state.refused.tooOften += 1
            return true
        }
    }

    /// A person said no to a program, or its question was left without an answer.
    func said(noTo program: String, about items: [String]) {
        let isCounted = !isOfSystem(program)
        state.withLock { state in
            state.quiet.said(noTo: program, about: items, at: BootTime.now())
            if isCounted { state.quiet.leftUnanswered(at: BootTime.now()) }
        }
    }

    /// A person said yes to a program.
    func said(yesTo program: String) { state.withLock { $0.quiet.said(yesTo: program) } }

    /// Whether the window for the passphrase would come back too soon for a program; that is counted.
    func refusesWindow(to program: String) -> Bool {
        state.withLock { state in
            guard state.quiet.refusesWindow(to: program, at: BootTime.now()) else {
                return false
            }
            state.refused.afterWindow += 1
            return true
        }
    }

    /// A person closed the window for the passphrase that named a program, or it was left without an answer.
    func closedWindow(of program: String) {
        let isCounted = !isOfSystem(program)
        state.withLock { state in
            state.quiet.closedWindow(of: program, at: BootTime.now())
            if isCounted { state.quiet.leftUnanswered(at: BootTime.now()) }
        }
    }

    /// How often a program was refused unasked since the person last ended that.
    package var refusals: Int { refused.sum }

    /// The same, by why.
    package var refused: UnaskedRefusals { state.withLock { $0.refused } }

    /// Programs that are counted as having values in a session without encryption; more are not.
    private static let plainPrograms = 256

    /// A program is about to get a value in a session without encryption.
    func sawPlain(_ program: String) {
        state.withLock { state in
            guard state.plain.count < Self.plainPrograms else { return }
            state.plain.insert(program)
        }
    }

    /// How many programs had values in a session without encryption, since the agent began.
    package var plainPrograms: Int { state.withLock { $0.plain.count } }

    /// The programs that are refused unasked at present, and how often one was.
    func report() -> (programs: [QuietProgram], refusals: Int) {
        state.withLock { ($0.quiet.programs(at: BootTime.now()), $0.refused.sum) }
    }

    /// Lets all programs be heard again.
    package func endQuiet() {
        state.withLock { state in
            state.quiet.end()
            state.refused = UnaskedRefusals()
        }
    }
}
