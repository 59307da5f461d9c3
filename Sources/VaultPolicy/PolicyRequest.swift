/// One call of an operation, as a policy sees it.
public struct PolicyRequest: Hashable, Sendable {
    /// The name of the operation.
    public let operation: String
    /// What it exposes.
    public let exposure: Exposure
    /// The names it is about, each once; one empty name where nothing is named.
    public var subjects: [String]
    /// What else a person must see to say yes, line by line; a yes to such a call is for this one time.
    public var details: [String]
    /// The names by which a question shows subjects that are ids.
    public var labels: [String: String] = [:]

    /// A call.
    public init(operation: String, exposure: Exposure, subjects: [String], details: [String] = []) {
        self.operation = operation
        self.exposure = exposure
        self.subjects = subjects
        self.details = details
    }

    /// The acts that need a verdict, each for itself; none for a call that is free.
    ///
    /// hsip at a terminal is the person: what decides later, or compares, needs no verdict there. What
    /// believes a person needs none for hsip at all.
    ///
    /// - Parameters:
    ///   - requester: the program that calls, and its user.
    ///   - owner: the user whose vault it is.
    ///   - guarded: the names of secrets that rules refuse or have asked about: a call about all of them is
    ///     about these, too.
    /// - Returns: each act once, in the order of the parts of the exposure.
    /// - Throws: what `guarded` throws.
    public func acts<E: Error>(
        by requester: Requester,
        owner: UInt32,
        guarded: () throws(E) -> [String]
    ) throws(E) -> [Act] {
        let isOwner = requester.uid == owner
        let isPerson = isOwner && requester.isPerson
        let isOwn = if case .own = requester.program { isOwner } else { false }
        // What a program on the bus asks for is known when the vault has looked at the items.
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

    /// The part of the exposure that an act comes from.
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
