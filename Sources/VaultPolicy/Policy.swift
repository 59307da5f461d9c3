/// Decides whether a requester may do an act now.
///
/// Inputs are plain values; the result is a verdict with its reason.
///
/// 1. The first row of `Table` that matches the act is found.
/// 2. `refuse` is final. `ask each time` becomes a refusal if a rule refuses. A rule for a route allows what came
/// over that route, unless another row or rule requires a prompt. Nothing else changes the outcome.
/// 3. A lease allows the use of its objects, unless a rule refuses or requires a prompt.
/// 4. Otherwise the strictest matching rule decides, if there is one.
/// 5. If the outcome is a prompt, a remembered approval answers it. None does if a rule asks each time, or if the act
/// changes later decisions.
public struct Policy: Sendable {
    /// The user whose vault it is.
    public let owner: UInt32
    /// The decisions that the owner made in advance.
    public var rules: [Rule]
    /// The approvals that the owner gave for longer than once.
    public var remembered = Remembered()

    /// Creates a policy without remembered approvals.
    public init(owner: UInt32, rules: [Rule] = []) {
        self.owner = owner
        self.rules = rules
    }

    /// Returns the verdict on an act of a requester.
    ///
    /// `time` is the wall clock in Unix seconds, which ends rules. `moment` is in seconds of the clock that cannot be
    /// set, which ends remembered approvals.
    public func verdict(
        on act: Act,
        by requester: Requester,
        time: UInt64,
        moment: UInt64
    ) -> Verdict {
        let request = AccessRequest(act: act, requester: requester, owner: owner)
        let row = Table.rows.first { $0.covers(request) }
        // Every act has a row, since the last row of each kind matches all its acts. If a row is missing, refuse.
        guard let row, row.outcome != .deny else { return .deny(.row(row?.name ?? .rawData)) }
        // A program on the bus may use items only, and only such programs may use them this way.
        guard act.isOfBus == (requester.bus != nil) else { return .deny(.row(row.name)) }
        let rule = strictest(on: act, by: requester, time: time)
        if let rule, rule.effect == .deny { return .deny(.rule(rule.name)) }
        if Lease.rows.contains(row.name), rule == nil || rule?.effect == .allow, let lease = requester.lease,
            lease.thing(of: act, at: moment) != nil
        {
            return .allow(.lease(lease.number, lease.reason))
        }
        if row.outcome == .askEachTime {
            if row.name == .forwarded, rule?.effect == .allow,
                let route = route(of: act, by: requester, time: time),
                Table.rows.first(where: { $0.name != .forwarded && $0.covers(request) })?.outcome == .ask
            {
                return .allow(.rule(route.name))
            }
            return .ask(.row(row.name), mayRemember: false)
        }
        if let rule, rule.effect == .each { return .ask(.rule(rule.name), mayRemember: false) }
        let asking: Reason
        switch (rule?.effect, row.outcome) {
        case (.allow, _): return .allow(rule.map { .rule($0.name) } ?? .row(row.name))
        case (.ask, _): asking = rule.map { .rule($0.name) } ?? .row(row.name)
        case (_, .allow): return .allow(.row(row.name))
        default: asking = .row(row.name)
        }
        guard row.outcome != .askUnlessRule else { return .ask(asking, mayRemember: false) }
        for forScript in [false, true] {
            guard let approval = Approval(act, by: requester, forScript: forScript),
                remembered.covers(approval, at: moment)
            else { continue }
            return .allow(.remembered)
        }
        return .ask(asking, mayRemember: true)
    }

    /// Returns the rule that allows a login over its one route.
    private func route(of act: Act, by requester: Requester, time: UInt64) -> Rule? {
        rules.filter { $0.effect == .allow && $0.via != nil && $0.covers(act, by: requester, at: time) }
            .min { $0.name < $1.name }
    }

    private func strictest(on act: Act, by requester: Requester, time: UInt64) -> Rule? {
        rules.filter { $0.covers(act, by: requester, at: time) }
            .min { ($1.effect, $0.name) < ($0.effect, $1.name) }
    }
}

/// The decision about an act.
public enum Verdict: Hashable, Sendable {
    /// It is allowed.
    case allow(Reason)
    /// The owner is asked; `mayRemember` says whether an approval may hold for longer than once.
    case ask(Reason, mayRemember: Bool)
    /// It is refused without a prompt.
    case deny(Reason)

    /// The reason of the decision.
    public var reason: Reason {
        switch self {
        case .allow(let reason), .ask(let reason, _), .deny(let reason): reason
        }
    }
}

/// The approvals that the owner gave for longer than once.
///
/// They stay in memory while the vault is open. Moments are seconds of a clock that cannot be set, and that continues
/// while the machine sleeps.
public struct Remembered: Sendable {
    /// The largest number of approvals; the approval that ends first makes room.
    public static let maximum = 256
    /// The longest duration of an approval in seconds: eight hours.
    public static let longest: UInt64 = 8 * 3_600

    private var ends: [Approval: UInt64] = [:]

    /// Creates an empty list.
    public init() {}

    /// The number of approvals, including ended ones.
    public var count: Int { ends.count }

    /// Stores an approval for some seconds from now.
    public mutating func remember(_ approval: Approval, for seconds: UInt64, at now: UInt64) {
        ends = ends.filter { $0.value > now }
        if ends[approval] == nil, ends.count >= Self.maximum,
            let first = ends.min(by: { $0.value < $1.value })
        {
            ends[first.key] = nil
        }
        ends[approval] = now + min(seconds, Self.longest)
    }

    /// Whether an approval still holds.
    public func covers(_ approval: Approval, at now: UInt64) -> Bool {
        ends[approval].map { $0 > now } ?? false
    }

    /// Uses up an approval that was given for one use.
    ///
    /// - Parameters:
    /// - approval: the approved acts.
    /// - now: the current moment.
    /// - Returns: whether it still held.
    package mutating func useUp(_ approval: Approval, at now: UInt64) -> Bool {
        ends.removeValue(forKey: approval).map { $0 > now } ?? false
    }
}

/// The inputs of a table row: an act, its requester, and the owner of the vault.
struct AccessRequest {
    let act: Act
    let requester: Requester
    let owner: UInt32
}

/// The reason of a decision.
public enum Reason: Hashable, Sendable {
    /// A row of the table.
    case row(Row.Name)
    /// A rule of the owner, by its name.
    case rule(String)
    /// A remembered approval of the owner.
    case remembered
    /// A lease of the owner, by its number, and the reason for which it was given.
    case lease(UInt64, String)

    /// The reason as the log and JSON show it: one word; for a lease, with the reason that the person gave.
    public var code: String {
        switch self {
        case .row(let name): name.rawValue
        case .rule(let name): "rule:\(name)"
        case .remembered: "remembered"
        case .lease(let number, let reason): "\(Self.leaseCode(number)) \(reason)"
        }
    }

    /// The first word of the reason if a lease allowed an act.
    public static func leaseCode(_ number: UInt64) -> String { "lease:\(number)" }
}
