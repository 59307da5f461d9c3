package import AgentProtocol
internal import RecordStore
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// Limits what programs on the message bus cost: calls that wait, questions to a person, and entries in the audit log.
///
/// It answers for a program by its identity, and for a process over all its connections. Programs without an identity count
/// as a single program. A lock ends only the counts of the log, because any program on the bus may lock the vault.
package final class RateLimiter: Sendable {
    /// Every number of the limiter, times in seconds.
    enum Limits {
        /// Pending calls of a process, of a program over all its processes, and of all programs: `hsip-secrets` needs places
        /// for calls that wait for nobody.
        static let pendingOfProcess = 16, pendingOfProgram = 64, pendingInAll = 96
        /// Calls in the queue for a question, of a program and of all programs.
        static let queuedOfProgram = 4, queuedInAll = 16
        /// Programs with an open question, one question each: the prompt queue keeps places for everybody else.
        static let asking = 3

        /// How long a refusal blocks the item, how many refusals in that time block the program, and for how long.
        static let refusal: UInt64 = 600, refusals = 3, block: UInt64 = 1_800
        /// Items of one refused question that are blocked.
        static let items = 256
        /// How long a closed passphrase window blocks the next one: after the first, the second and each further one.
        static let windows: [UInt64] = [60, 300, 1_800]
        /// After this time a closed window no longer counts.
        static let windowMemory: UInt64 = 7_200
        /// Refused or unanswered questions in a minute, of all programs that a user can copy and nobody said yes to.
        static let unanswered = 6, minute: UInt64 = 60
        /// Programs whose answers are remembered; the oldest answer makes room, and a program with a yes goes last.
        static let programs = 256

        /// Entries of a program in its minute, besides first reads; further ones share an entry for each act and verdict.
        static let entries = 256
        /// Other entries, and first reads, of all programs in a minute: so many of each.
        static let entriesInAll = 1_024
        /// Other entries, and first reads, that a program has even if all programs together have too many.
        static let reserve = 16
        /// Programs with a minute of their own; later programs share a minute until such a minute is over.
        static let minutes = 64
        /// Counts of a minute with entries of their own; if there are more, all counts of an act share an entry.
        static let counts = 32
    }

    struct State: Sendable {
        /// Those in the queue by the order in which they entered it.
        var pending: [Pending] = []
        var lastCall: UInt64 = 0
        var programs: [String: Answers] = [:]
        /// When the last questions were refused or left unanswered.
        var unanswered: [UInt64] = []
        var refused = UnaskedRefusals()
        /// Programs that got values in a session without encryption.
        var plain: Set<String> = []
        /// What is in the log already: of each program that has a minute, and of all of them.
        var minutes: [String: Minute] = [:]
        var allMinutes = Minute(end: 0)
    }

    let state = Mutex(State())
    /// Seconds of a clock that cannot be set.
    let clock: @Sendable () -> UInt64
    /// Whether the user cannot have put a program of this name there.
    let isOfSystem: @Sendable (String) -> Bool

    /// A limiter that has seen nothing yet.
    ///
    /// - Parameters:
    ///   - clock: seconds of a clock that cannot be set.
    ///   - isOfSystem: whether the user cannot have put a program of this name there.
    package init(
        clock: @escaping @Sendable () -> UInt64 = { BootTime.now() },
        isOfSystem: @escaping @Sendable (String) -> Bool = RateLimiter.isOfSystem
    ) {
        self.clock = clock
        self.isOfSystem = isOfSystem
    }

    /// A sandbox is named by its maker; the file of any other program has to be the system's.
    package static func isOfSystem(_ program: String) -> Bool {
        program.hasPrefix("/") ? SystemPlace.holds(program) : !program.isEmpty
    }

    /// The name of a program; empty for every program without an identity.
    static func name(of requester: Requester) -> String { requester.bus?.identity?.text ?? "" }

    /// Questions that were not asked since they were last allowed again, by reason.
    package var refused: UnaskedRefusals { state.withLock { $0.refused } }

    /// Programs that got values in a session without encryption since the agent began; as many as are remembered.
    package var plainPrograms: Int { state.withLock { $0.plain.count } }

    /// A program is about to get a value in a session without encryption.
    func sawPlain(_ program: String) {
        state.withLock { state in
            guard state.plain.count < Limits.programs else { return }
            state.plain.insert(program)
        }
    }
}
