/// May this requester do this act now? Plain values in, a verdict with its reason out.
///
/// 1. The first row of `Table` that covers the act is found.
/// 2. `refuse` is final. `ask each time` becomes a refusal where a rule refuses. A rule for a route allows what came over it,
///    unless another row or rule wants it asked. Nothing else changes it.
/// 3. A lease allows the use of what it names, unless a rule refuses or wants it asked.
/// 4. Else the strictest rule that covers the act decides, if there is one.
/// 5. Where the outcome is to ask, a remembered yes answers; where a rule asks each time, or later verdicts are decided,
///    none does.
public struct Policy: Sendable {
    /// The user whose vault it is.
    public let owner: UInt32
    /// What the owner said ahead.
    public var rules: [Rule]
    /// What the owner said yes to for longer than once.
    public var remembered = Remembered()

    /// A policy of an owner, with nothing remembered.
    public init(owner: UInt32, rules: [Rule] = []) {
        self.owner = owner
        self.rules = rules
    }

    /// The verdict on an act of a requester.
    ///
    /// `time` is the wall clock in Unix seconds, by which rules end. `moment` is in seconds of the clock that
    /// cannot be set, by which a remembered yes ends.
    public func verdict(
        on act: Act,
        by requester: Requester,
        time: UInt64,
        moment: UInt64
    ) -> Verdict {
        let request = AccessRequest(act: act, requester: requester, owner: owner)
        let row = Table.rows.first { $0.covers(request) }
        // Every act has a row: the last row of each kind covers all of that kind. Without one: no.
        guard let row, row.outcome != .deny else { return .deny(.row(row?.name ?? .rawData)) }
        // A program on the bus has items and nothing else, and no one else has them in its way.
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

    /// The rule that allows a login over the one route that it came.
    private func route(of act: Act, by requester: Requester, time: UInt64) -> Rule? {
        rules.filter { $0.effect == .allow && $0.via != nil && $0.covers(act, by: requester, at: time) }
            .min { $0.name < $1.name }
    }

    private func strictest(on act: Act, by requester: Requester, time: UInt64) -> Rule? {
        rules.filter { $0.covers(act, by: requester, at: time) }
            .min { ($1.effect, $0.name) < ($0.effect, $1.name) }
    }
}

/// Whether an act may happen now.
public enum Verdict: Hashable, Sendable {
    /// It may.
    case allow(Reason)
    /// The owner is asked; `mayRemember` says whether a yes may hold for longer than once.
    case ask(Reason, mayRemember: Bool)
    /// It may not, and no one is asked.
    case deny(Reason)

    /// Why.
    public var reason: Reason {
        switch self {
        case .allow(let reason), .ask(let reason, _), .deny(let reason): reason
        }
    }
}

/// What the owner said yes to for longer than once.
///
/// It lives in memory, as long as the vault is open. Moments are seconds of a clock that cannot be set and
/// that goes on while the machine sleeps.
public struct Remembered: Sendable {
    /// Most that are kept; the one that ends first makes room.
    public static let maximum = 256
    /// The longest that a yes holds, in seconds: eight hours.
    public static let longest: UInt64 = 8 * 3_600

    private var ends: [Approval: UInt64] = [:]

    /// Nothing remembered.
    public init() {}

    /// How many there are, those that have ended included.
    public var count: Int { ends.count }

    /// Keeps a yes for some seconds from now.
    public mutating func remember(_ approval: Approval, for seconds: UInt64, at now: UInt64) {
        ends = ends.filter { $0.value > now }
        if ends[approval] == nil, ends.count >= Self.maximum,
            let first = ends.min(by: { $0.value < $1.value })
        {
            ends[first.key] = nil
        }
        ends[approval] = now + min(seconds, Self.longest)
    }

    /// Whether a yes still holds.
    public func covers(_ approval: Approval, at now: UInt64) -> Bool {
        ends[approval].map { $0 > now } ?? false
    }

    /// Uses up a yes that was given for one use.
    ///
    /// - Parameters:
    ///   - approval: what it covers.
    ///   - now: the present moment.
    /// - Returns: whether it still held.
    package mutating func useUp(_ approval: Approval, at now: UInt64) -> Bool {
        ends.removeValue(forKey: approval).map { $0 > now } ?? false
    }
}

/// What a row of the table looks at: an act, its requester, and the owner of the vault.
struct AccessRequest {
    let act: Act
    let requester: Requester
    let owner: UInt32
}

/// Why a verdict is what it is.
public enum Reason: Hashable, Sendable {
    /// A row of the table.
    case row(Row.Name)
    /// A rule of the owner, by its name.
    case rule(String)
    /// The owner said yes to this before, and for longer than once.
    case remembered
    /// A lease of the owner, by its number, and why it was given.
    case lease(UInt64, String)

    /// The reason as the log and JSON have it: one word, of a lease with the reason that the person gave.
    public var code: String {
        switch self {
        case .row(let name): name.rawValue
        case .rule(let name): "rule:\(name)"
        case .remembered: "remembered"
        case .lease(let number, let reason): "\(Self.leaseCode(number)) \(reason)"
        }
    }

    /// The first word of the reason of what a lease allowed.
    public static func leaseCode(_ number: UInt64) -> String { "lease:\(number)" }
}
