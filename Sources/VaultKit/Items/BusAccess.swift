public import VaultPolicy

/// A program on the bus for which the agent has an operation done, with what was decided about it.
public struct BusAccess: Sendable {
    /// The program.
    public let requester: Requester
    private let policy: Policy
    private let time: UInt64
    private let moment: UInt64
    private let readable: Set<String>
    private let changeable: Set<String>
    private let others: [Act]

    /// A program, and the acts that it may do now: each of them is in the log.
    ///
    /// - Parameters:
    ///   - requester: the program.
    ///   - policy: what decides what lists show as open.
    ///   - time: the wall clock, Unix seconds.
    ///   - moment: seconds of the clock that cannot be set.
    ///   - permitted: what was allowed, or answered with yes.
    public init(
        _ requester: Requester,
        policy: Policy,
        time: UInt64,
        moment: UInt64,
        permitted: [Act]
    ) {
        self.requester = requester
        self.policy = policy
        self.time = time
        self.moment = moment
        var (readable, changeable, others): (Set<String>, Set<String>, [Act]) = ([], [], [])
        for act in permitted {
            switch act {
            case .item(_, let item): readable.insert(item.id)
            case .itemChange(_, let item): changeable.insert(item.id)
            default: others.append(act)
            }
        }
        (self.readable, self.changeable, self.others) = (readable, changeable, others)
    }

    /// The identity of the program; nil if it is not known.
    var identity: ProgramIdentity? { requester.bus?.identity }

    /// The policy's verdict on an operation, before anyone was asked.
    func verdict(on act: Act) -> Verdict {
        policy.verdict(on: act, by: requester, time: time, moment: moment)
    }

    /// Whether the value of an item may be given to the program.
    func mayRead(_ id: String) -> Bool { readable.contains(id) }

    /// Whether an item may be changed.
    func mayChange(_ id: String) -> Bool { changeable.contains(id) }

    /// Whether a collection may be decided about.
    func mayDecide(about collection: String) -> Bool {
        others.contains { if case .collection(_, collection) = $0 { true } else { false } }
    }

    /// Whether the key of an application may leave.
    func mayHaveKey(of application: String) -> Bool {
        others.contains { if case .applicationKey(_, application) = $0 { true } else { false } }
    }
}

extension Caller {
    /// Whether it is hsip, or the program that opened the vault itself.
    package var isOwn: Bool { if case .own = self { true } else { false } }

    /// The program on the bus; nil for a caller on a socket.
    var bus: BusAccess? { if case .bus(let access) = self { access } else { nil } }
}
