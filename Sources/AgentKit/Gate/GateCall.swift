internal import AgentProtocol
internal import VaultKit
internal import VaultPolicy

/// A call at the gate: the request, the program that makes it, and how its person is reached.
struct GateCall {
    /// The operation; nil for a signature.
    var request: OperationRequest?
    /// The acts of a call over a socket; the acts of a call on the bus depend on the items that the vault finds.
    var acts: [Act] = []
    var requester: Requester
    /// The program on the bus; nil for a caller on a socket.
    var program: BusCaller?
    /// Reaches the person; nil if the person may not be asked.
    let prompter: (any Prompter)?
    /// The interest of the caller.
    let cancellation: Cancellation
    /// What it uses of a lease; nil for nothing.
    var leased: LeaseUse?

    /// The name of a program on the bus, by which its questions and entries are limited; nil on a socket.
    var limited: String? { program.map { _ in RateLimiter.name(of: requester) } }

    /// Whether the answer may leave out what is refused.
    var leavesOut: Bool { program?.mayAsk == true && request?.leavesOut == true }

    /// Whether the call waits for a person.
    var holds: Bool { program == nil || request?.holds != false }
}

extension Requester {
    /// The program at the other end of a socket; the ancestors of a program that is not known mean nothing.
    init(_ peer: Peer, _ program: Program, hasTerminal: Bool = false, lease: Lease? = nil) {
        let isKnown = program != .unknown
        self.init(
            uid: peer.uid,
            pid: peer.pid,
            program: program,
            chain: isKnown ? peer.chain : [],
            inside: isKnown ? peer.inside : [],
            hasTerminal: hasTerminal
        )
        if isKnown { script = peer.script }
        self.lease = lease
    }
}

/// An act with its verdict.
struct JudgedAct {
    let act: Act
    let code: String
    let mayRemember: Bool
    /// Whether a rule wants it asked: then no answer changes that for good.
    var isByRule = false
    /// Whether a person said yes to this very use.
    var isAnswered = false

    /// The item or name that a refusal blocks.
    var item: String { act.item?.id ?? act.subject }

    /// The same after a yes.
    var answered: JudgedAct {
        JudgedAct(act: act, code: "\(code):yes", mayRemember: false, isAnswered: true)
    }
}

/// The verdicts on the acts of a call.
struct Judgement {
    /// Acts that may happen.
    var permitted: [JudgedAct] = []
    /// Acts to ask about.
    var asked: [JudgedAct] = []
    /// The opening of the vault that the verdicts are about; nil if none was needed.
    var opening: UInt64?
    /// What is used of a lease; nil for nothing.
    private(set) var leased: LeaseUse?

    init(opening: UInt64? = nil) { self.opening = opening }

    /// A program is inside one lease at most.
    mutating func use(_ thing: LeasedThing, of number: UInt64) {
        leased = LeaseUse(number: number, things: (leased?.things ?? []) + [thing])
    }
}
