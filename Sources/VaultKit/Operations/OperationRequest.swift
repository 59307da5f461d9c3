package import HSIP
internal import RecordStore
package import SSHFormats
public import VaultPolicy

/// What policy and audit log are told of a call: its operation, what it exposes, and what it is about.
public struct OperationRequest: Sendable {
    /// What the policy sees.
    public private(set) var policy: PolicyRequest
    /// What it is in the audit log; nil for what is not in it.
    public let audit: AuditKind?
    /// The rule of the policy that it removes; nil for none.
    public let removedRule: String?
    /// The line of known hosts that it takes out, by its id; nil for none.
    public let removedLine: UInt64?
    private let senders: [PeerID]
    /// The items that need a verdict, for a program on the bus.
    let scope: ItemScope

    private let items: ItemUse?
    private let isForHsip: Bool

    init(
        _ operation: String,
        _ exposure: Exposure,
        _ subjects: CallSubjects,
        items: ItemUse? = nil,
        isForHsip: Bool = false,
        audit: AuditKind?
    ) {
        var seen: Set<String> = []
        // Names are composed in the vault, whatever a program sends, and so they are in rules.
        let names = subjects.names.map { Self.cut(NameRules.normalized($0)) }
            .filter { seen.insert($0).inserted }
        policy = PolicyRequest(
            operation: operation,
            exposure: exposure,
            subjects: names.isEmpty ? [""] : names,
            details: subjects.details
        )
        self.audit = audit
        (removedRule, removedLine) = (subjects.removedRule, subjects.removedLine)
        senders = subjects.senders
        scope = subjects.scope
        (self.items, self.isForHsip) = (items, isForHsip)
    }

    /// Whether no program may call the operation but hsip, and programs on the bus if it is about items.
    package var isRestricted: Bool { isForHsip || items != nil }

    /// Whether a program on the bus may call the operation.
    package var isForBus: Bool { items?.isForBus == true }

    /// The request of one who is shown the rule that goes.
    ///
    /// - Parameter rule: What the policy has under `removedRule`; nil where that cannot be read.
    /// - Returns: the request with what the rule says among its details.
    package func showing(_ rule: Rule?) -> OperationRequest {
        var request = self
        request.policy.details = (rule?.facts ?? ["hsip cannot read the rule"]) + policy.details
        return request
    }

    /// The request of one who is shown the line of known hosts that goes.
    ///
    /// - Parameter host: What the vault has under `removedLine`; nil where there is nothing.
    /// - Returns: the request with what the line says among its details.
    package func showing(line host: KnownHost?) -> OperationRequest {
        var request = self
        request.policy.details = ["Removes: \(host?.fact ?? "a line that does not exist")"] + policy.details
        return request
    }

    /// The items that a question about this call names, by id.
    package var itemIDs: [String] {
        guard policy.exposure.parts.contains(where: { $0.question != nil }) else { return [] }
        return switch scope {
        case .values(let ids, _), .changes(let ids): ids
        default: []
        }
    }

    /// The request of a caller who is asked about items by their labels.
    ///
    /// - Parameter labels: the label of each item, by id.
    /// - Returns: the request with the beginning of each id and its label. The id comes first: a long label is cut.
    package func showing(labels: [String: String]) -> OperationRequest {
        var request = self
        request.policy.labels = labels.filter { !$0.value.isEmpty }
            .reduce(into: [:]) { $0[$1.key] = "\($1.key.prefix(8)) \($1.value)" }
        return request
    }

    /// The request with the names of those who made its messages and codes.
    ///
    /// A message says by itself whose session opens it, so leaving the name out leaves no rule out.
    ///
    /// - Parameter name: the alias of a contact; nil where there is none.
    /// - Returns: the request with each alias among its subjects, once.
    /// - Throws: what `name` throws.
    package func naming(
        _ name: (PeerID) throws(VaultError) -> String?
    ) throws(VaultError) -> OperationRequest {
        var request = self
        for sender in senders {
            guard let alias = try name(sender), !request.policy.subjects.contains(alias) else { continue }
            request.policy.subjects = request.policy.subjects.filter { !$0.isEmpty } + [alias]
        }
        return request
    }

    /// The entry of the call itself in the audit log; nil where the entries of its acts are all there is to write.
    package func entry(besides acts: [Act], by requester: Requester) -> AuditEntry? {
        guard let audit, audit != .read, audit != .use,
            !acts.contains(where: { [.decide, .item, .itemChange].contains($0.kind) })
        else {
            return nil
        }
        var entry = AuditEntry(audit, .allowed, time: 0, act: policy.operation, subject: summary)
        entry.add(requester)
        return entry
    }

    /// What it is about, in one short text.
    var summary: String {
        guard let first = policy.subjects.first else { return "" }
        return policy.subjects.count == 1 ? first : Self.cut("\(first) +\(policy.subjects.count - 1)")
    }

    /// At most 256 bytes, as much as a rule can name and the log keeps.
    private static func cut(_ subject: String) -> String {
        guard subject.utf8.count > 256 else { return subject }
        // Cut as bytes: the text may be megabytes of letters that combine.
        let kept = String(decoding: subject.utf8.prefix(253), as: UTF8.self)
        return (kept.hasSuffix("\u{FFFD}") ? String(kept.dropLast()) : kept) + "…"
    }
}

/// How an operation uses the items of programs.
struct ItemUse: Sendable {
    /// Whether a program on the bus may call it.
    let isForBus: Bool
    /// Whether what programs on the bus see may differ after it.
    let isChange: Bool

    static let reads = ItemUse(isForBus: true, isChange: false)
    static let changes = ItemUse(isForBus: true, isChange: true)
    /// It reads, for people alone.
    static let readsForPeople = ItemUse(isForBus: false, isChange: false)
    /// It changes, for people alone.
    static let changesForPeople = ItemUse(isForBus: false, isChange: true)
}

/// What a call is about, by its arguments: names of people, keys, hosts and secrets, never what they hold.
struct CallSubjects: Sendable {
    /// The names.
    private(set) var names: [String] = []
    /// Who made the messages and codes among the arguments, as these say: a rule about a person counts, whether the call
    /// names them or not.
    private(set) var senders: [PeerID] = []

    /// What else a person must see before they say yes, line by line.
    private(set) var details: [String] = []
    /// The rule that is removed; nil for none.
    private(set) var removedRule: String?

    /// The line of known hosts that is taken out; nil for none.
    private(set) var removedLine: UInt64?

    /// The items that need a verdict, for a program on the bus.
    private(set) var scope = ItemScope.none

    /// Nothing that has a name.
    static let none = Self()

    /// These names, as far as there are any.
    static func named(_ names: String?...) -> Self { Self(names: names.compactMap(\.self)) }

    /// All of these.
    static func named(_ names: [String]) -> Self { Self(names: names) }

    /// A rule of the policy that goes: a person must see what it says before they say yes.
    static func removedRule(_ name: String) -> Self {
        Self(
            names: [name],
            details: ["The agent then decides without this rule"],
            removedRule: name
        )
    }

    /// A line of known hosts that goes: a person must see what it says before they say yes.
    static func removedLine(_ id: UInt64) -> Self { Self(removedLine: id) }

    /// The same, and what a person must see besides.
    func detailed(_ details: [String]) -> Self {
        var subjects = self
        subjects.details = details
        return subjects
    }

    /// The same, and the items that need a verdict.
    func items(_ scope: ItemScope) -> CallSubjects {
        var subjects = self
        subjects.scope = scope
        return subjects
    }

    /// The same, and who made a message or a code; nil where it does not say.
    func sent(by sender: PeerID?) -> Self {
        var subjects = self
        if let sender { subjects.senders.append(sender) }
        return subjects
    }
}

extension ExchangeCode {
    /// Who made it, as it says itself; nil where it does not.
    var sentBy: PeerID? {
        switch self {
        case .offer(let offer): offer.peerID
        case .answer(let answer): answer.peerID
        case .rotate, .accept, .verify, .revoke: nil
        }
    }
}
