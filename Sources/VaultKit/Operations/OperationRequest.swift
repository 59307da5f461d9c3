package import HSIP
internal import RecordStore
package import SSHFormats
public import VaultPolicy

/// A call in the form for the policy and the audit log: operation, exposure, subjects.
public struct OperationRequest: Sendable {
    /// The request that the policy decides.
    public private(set) var policy: PolicyRequest
    /// The kind of the call in the audit log; nil if the log has no entry for it.
    public let audit: AuditKind?
    /// The name of the policy rule that the call removes; nil for none.
    public let removedRule: String?
    /// The id of the known-hosts line that the call removes; nil for none.
    public let removedLine: UInt64?
    private let senders: [PeerID]
    /// The items of a bus program's call that need a verdict.
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
        // The vault composes names, and rules name them composed; a program may send another form.
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

    /// Whether programs other than hsip are refused; item operations also admit programs on the bus.
    package var isRestricted: Bool { isForHsip || items != nil }

    /// Whether a program on the bus may call the operation.
    package var isForBus: Bool { items?.isForBus == true }

    /// Adds the removed rule's text to the approval question.
    ///
    /// - Parameter rule: the rule named `removedRule`; nil if it is unreadable.
    /// - Returns: the request with the rule's text among its details.
    package func showing(_ rule: Rule?) -> OperationRequest {
        var request = self
        request.policy.details = (rule?.facts ?? ["hsip cannot read the rule"]) + policy.details
        return request
    }

    /// Adds the removed line of known hosts to the approval question.
    ///
    /// - Parameter host: the line with the id `removedLine`; nil if there is none.
    /// - Returns: the request with the line's text among its details.
    package func showing(line host: KnownHost?) -> OperationRequest {
        var request = self
        request.policy.details = ["Removes: \(host?.fact ?? "a line that does not exist")"] + policy.details
        return request
    }

    /// The ids of the items that an approval question about this call names.
    package var itemIDs: [String] {
        guard policy.exposure.parts.contains(where: { $0.question != nil }) else { return [] }
        return switch scope {
        case .values(let ids, _), .changes(let ids): ids
        default: []
        }
    }

    /// Adds item labels to the approval question.
    ///
    /// - Parameter labels: the label of each item, by id.
    /// - Returns: the request with a label for each item: the start of its id, then the label, which may be cut.
    package func showing(labels: [String: String]) -> OperationRequest {
        var request = self
        request.policy.labels = labels.filter { !$0.value.isEmpty }
            .reduce(into: [:]) { $0[$1.key] = "\($1.key.prefix(8)) \($1.value)" }
        return request
    }

    /// Adds the aliases of the senders of the call's messages and codes to its subjects.
    ///
    /// If a sender is unknown, no rule is missed, because the message itself names the session that opens it.
    ///
    /// - Parameter name: returns the alias of a contact; nil if there is none.
    /// - Returns: the request with each alias among its subjects, once.
    /// - Throws: the errors of `name`.
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

    /// The audit entry of the call; nil if the entries of its `acts` are sufficient.
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

    /// The first subject, with the number of further ones.
    var summary: String {
        guard let first = policy.subjects.first else { return "" }
        return policy.subjects.count == 1 ? first : Self.cut("\(first) +\(policy.subjects.count - 1)")
    }

    /// Cuts a subject to 256 bytes, the limit of rules and of the log.
    private static func cut(_ subject: String) -> String {
        guard subject.utf8.count > 256 else { return subject }
        // Cuts bytes, not characters: the text may be megabytes of combining letters.
        let kept = String(decoding: subject.utf8.prefix(253), as: UTF8.self)
        return (kept.hasSuffix("\u{FFFD}") ? String(kept.dropLast()) : kept) + "…"
    }
}

/// The way in which an operation uses the items of programs.
struct ItemUse: Sendable {
    /// Whether a program on the bus may call the operation.
    let isForBus: Bool
    /// Whether the operation may change the items that programs on the bus see.
    let isChange: Bool

    static let reads = ItemUse(isForBus: true, isChange: false)
    static let changes = ItemUse(isForBus: true, isChange: true)
    /// Reads items; not for programs on the bus.
    static let readsForPeople = ItemUse(isForBus: false, isChange: false)
    /// Changes items; not for programs on the bus.
    static let changesForPeople = ItemUse(isForBus: false, isChange: true)
}

/// The subjects of a call, from its arguments: names of people, keys, hosts and secrets, never their values.
struct CallSubjects: Sendable {
    /// The names.
    private(set) var names: [String] = []
    /// The claimed senders of the messages and codes among the arguments.
    ///
    /// Rules about a person apply even if the call does not name the person.
    private(set) var senders: [PeerID] = []

    /// Further lines for the approval question.
    private(set) var details: [String] = []
    /// The name of the rule to remove; nil for none.
    private(set) var removedRule: String?

    /// The id of the known-hosts line to remove; nil for none.
    private(set) var removedLine: UInt64?

    /// The items of a bus program's call that need a verdict.
    private(set) var scope = ItemScope.none

    /// A call without subjects.
    static let none = Self()

    /// The names that are not nil.
    static func named(_ names: String?...) -> Self { Self(names: names.compactMap(\.self)) }

    /// All of the names.
    static func named(_ names: [String]) -> Self { Self(names: names) }

    /// The subject of a call that removes a rule; the approval question shows the rule's text.
    static func removedRule(_ name: String) -> Self {
        Self(
            names: [name],
            details: ["The agent then decides without this rule"],
            removedRule: name
        )
    }

    /// The subject of a call that removes a known-hosts line; the approval question shows the line.
    static func removedLine(_ id: UInt64) -> Self { Self(removedLine: id) }

    /// Replaces the further lines of the approval question.
    func detailed(_ details: [String]) -> Self {
        var subjects = self
        subjects.details = details
        return subjects
    }

    /// Sets the items that need a verdict.
    func items(_ scope: ItemScope) -> CallSubjects {
        var subjects = self
        subjects.scope = scope
        return subjects
    }

    /// Adds the sender of a message or code; nil if it names none.
    func sent(by sender: PeerID?) -> Self {
        var subjects = self
        if let sender { subjects.senders.append(sender) }
        return subjects
    }
}

extension ExchangeCode {
    /// The sender that the code names; nil if it names none.
    var sentBy: PeerID? {
        switch self {
        case .offer(let offer): offer.peerID
        case .answer(let answer): answer.peerID
        case .rotate, .accept, .verify, .revoke: nil
        }
    }
}
