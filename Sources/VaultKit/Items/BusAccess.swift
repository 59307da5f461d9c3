public import VaultPolicy

/// A program on the bus for which the agent runs an operation, with the decisions about the program.
public struct BusAccess: Sendable {
    /// The program.
    public let requester: Requester
    private let policy: Policy
    private let time: UInt64
    private let moment: UInt64
    private let readable: Set<String>
    private let changeable: Set<String>
    private let others: [Act]

    /// Makes the access of a program with the acts that it may do now; each of them is in the log.
    ///
    /// - Parameters:
    ///   - requester: the program.
    ///   - policy: the policy that decides which items lists show as open.
    ///   - time: the wall clock, Unix seconds.
    ///   - moment: seconds of the clock that cannot be set.
    ///   - permitted: the acts that the policy or a person allowed.
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

    /// The identity of the program; nil if unknown.
    var identity: ProgramIdentity? { requester.bus?.identity }

    /// The policy's verdict on an act, before a person is asked.
    func verdict(on act: Act) -> Verdict {
        policy.verdict(on: act, by: requester, time: time, moment: moment)
    }

    /// Whether the program may read the value of an item.
    func mayRead(_ id: String) -> Bool { readable.contains(id) }

    /// Whether the program may change an item.
    func mayChange(_ id: String) -> Bool { changeable.contains(id) }

    /// Whether the program may decide about a collection.
    func mayDecide(about collection: String) -> Bool {
        others.contains { if case .collection(_, collection) = $0 { true } else { false } }
    }

    /// Whether the program may read the key of an application.
    func mayHaveKey(of application: String) -> Bool {
        others.contains { if case .applicationKey(_, application) = $0 { true } else { false } }
    }
}

extension Caller {
    /// Whether the caller is hsip, or the program that opened the vault itself.
    package var isOwn: Bool { if case .own = self { true } else { false } }

    /// The program on the bus; nil for a caller on a socket.
    var bus: BusAccess? { if case .bus(let access) = self { access } else { nil } }
}
