/// One call of an operation, as a policy sees it.
public struct PolicyRequest: Hashable, Sendable {
    /// The name of the operation.
    public let operation: String
    /// The exposure of the operation.
    public let exposure: Exposure
    /// The names that the call is about, each once; one empty name if it names nothing.
    public var subjects: [String]
    /// Further lines that a person must see before approving; an approval of such a call holds once.
    public var details: [String]
    /// The labels that a prompt shows for subjects that are ids.
    public var labels: [String: String] = [:]

    /// Creates a call.
    public init(operation: String, exposure: Exposure, subjects: [String], details: [String] = []) {
        self.operation = operation
        self.exposure = exposure
        self.subjects = subjects
        self.details = details
    }

    /// Returns the acts that need a decision each; empty for a call that needs none.
    ///
    /// hsip at a terminal acts for the person: changes to later decisions and comparisons need no decision there.
    /// Trusting a contact needs no decision for hsip at all.
    ///
    /// - Parameters:
    /// - requester: the program that calls, and its user.
    /// - owner: the user whose vault it is.
    /// - guarded: the names of secrets about which rules refuse or ask. A call about all secrets is also about these.
    /// - Returns: each act once, in the order of the parts of the exposure.
    /// - Throws: the errors of `guarded`.
    public func acts<E: Error>(
        by requester: Requester,
        owner: UInt32,
        guarded: () throws(E) -> [String]
    ) throws(E) -> [Act] {
        let isOwner = requester.uid == owner
        let isPerson = isOwner && requester.isPerson
        let isOwn = if case .own = requester.program { isOwner } else { false }
        // The acts of a program on the bus are known only after the vault has looked up the items.
        guard requester.bus == nil else { return [] }
        var acts: [Act] = []
        for part in exposure.parts {
            switch part {
            case .names, .change, .both: continue
            case .use: acts += subjects.map { .use(operation: operation, name: $0) }
            case .values: acts += reads(subjects)
            case .everything: acts += reads([""] + subjects + (try guarded()))
            case .comparison where !isPerson: acts += reads(subjects)
            case .comparisonOfAll where !isPerson: acts += reads([""] + (try guarded()))
            case .trust where !isOwn, .decidesLater where !isPerson:
                acts += subjects.map { .decide(operation: operation, name: $0) }
            case .comparison, .comparisonOfAll, .trust, .decidesLater: continue
            }
        }
        var seen: Set<Act> = []
        return acts.filter { seen.insert($0).inserted }
    }

    /// Returns the part of the exposure that an act comes from.
    public func part(of act: Act) -> Exposure? {
        exposure.parts.first { part in
            switch part {
            case .names, .change, .both: false
            case .use: act.kind == .use
            case .values, .everything, .comparison, .comparisonOfAll: act.kind == .read || act.kind == .item
            case .trust, .decidesLater: act.kind == .decide
            }
        }
    }

    private func reads(_ names: [String]) -> [Act] { names.map { .read(operation: operation, name: $0) } }
}
