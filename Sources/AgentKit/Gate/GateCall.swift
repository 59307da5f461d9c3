internal import AgentProtocol
internal import VaultKit
internal import VaultPolicy

/// A call at the gate: the request, the calling program, and the way to reach its person.
struct GateCall {
    /// The operation; nil for a signature.
    var request: OperationRequest?
    /// The acts of a call over a socket.
    ///
    /// The acts of a call on the bus depend on the items that the vault finds.
    var acts: [Act] = []
    var requester: Requester
    /// The program on the bus; nil for a caller on a socket.
    var program: BusCaller?
    /// Asks the person; nil if the person may not be asked.
    let prompter: (any Prompter)?
    /// Ends when the caller has gone.
    let cancellation: Cancellation
    /// The leased objects that the call uses; nil for none.
    var leased: LeaseUse?

    /// The name of a program on the bus, by which its prompts and entries are limited; nil on a socket.
    var limited: String? { program.map { _ in RateLimiter.name(of: requester) } }

    /// Whether the response may omit refused items.
    var leavesOut: Bool { program?.mayAsk == true && request?.leavesOut == true }

    /// Whether the call waits for a person.
    var holds: Bool { program == nil || request?.holds != false }
}

extension Requester {
    /// Creates a requester from the program at the other end of a socket; the ancestors of an unknown program are not
    /// used.
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

/// An act with its decision.
struct JudgedAct {
    let act: Act
    let code: String
    let mayRemember: Bool
    /// Whether a rule requires the prompt: no answer changes that permanently.
    var isByRule = false
    /// Whether a person approved this very use.
    var isAnswered = false

    /// The item or name that a refusal blocks.
    var item: String { act.item?.id ?? act.subject }

    /// The same act after an approval.
    var answered: JudgedAct {
        JudgedAct(act: act, code: "\(code):yes", mayRemember: false, isAnswered: true)
    }
}

/// The decisions about the acts of a call.
struct Judgement {
    /// Acts that may happen.
    var permitted: [JudgedAct] = []
    /// Acts to ask about.
    var asked: [JudgedAct] = []
    /// The opening of the vault that the decisions are about; nil if they needed none.
    var opening: UInt64?
    /// The leased objects that are used; nil for none.
    private(set) var leased: LeaseUse?

    init(opening: UInt64? = nil) { self.opening = opening }

    /// Notes the use of a leased object; a program is inside at most one lease.
    mutating func use(_ thing: LeasedThing, of number: UInt64) {
        leased = LeaseUse(number: number, things: (leased?.things ?? []) + [thing])
    }
}
