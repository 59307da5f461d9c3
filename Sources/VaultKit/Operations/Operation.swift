internal import VaultCrypto
public import VaultPolicy

/// One operation of the vault, with all that is decided about it: its name, what it exposes, what it is about,
/// how the audit log calls it, and how an open vault does it.
///
/// What goes in and comes out can be encoded, so the same value serves a vault in this process and one behind an agent.
public struct Operation<Output: Codable & Sendable, each Input: Codable & Sendable>: Sendable {
    /// The name under which it is called from another process.
    public let name: String
    /// What it exposes; where its arguments decide, what exposes the most is first.
    public let exposures: [Exposure]
    /// What it is in the audit log; nil for what is not in it.
    public let audit: AuditKind?
    let items: ItemUse?
    private let isForHsip: Bool
    private let exposure: @Sendable (repeat each Input) -> Exposure
    private let subjects: (@Sendable (repeat each Input) -> CallSubjects)?
    private let act: @Sendable (isolated Vault, Caller, repeat each Input) throws(VaultError) -> Output

    /// Declares an operation.
    ///
    /// - Parameters:
    ///   - name: The name under which it is called from another process.
    ///   - exposure: What it exposes.
    ///   - isExposed: Whether these arguments expose `exposure`; without it they always do.
    ///   - otherwise: What other arguments expose.
    ///   - items: How it uses the items of programs; nil for what has nothing to do with them.
    ///   - isForHsip: Whether only hsip may call it.
    ///   - subjects: What a call is about, by its arguments.
    ///   - audit: What it is in the audit log; nil for what is not in it.
    ///   - act: Does it in an open vault. It may differ by caller.
    init(
        _ name: String,
        _ exposure: Exposure,
        when isExposed: (@Sendable (repeat each Input) -> Bool)? = nil,
        otherwise: Exposure? = nil,
        items: ItemUse? = nil,
        isForHsip: Bool = false,
        subjects: (@Sendable (repeat each Input) -> CallSubjects)? = nil,
        audit: AuditKind?,
        _ act: @escaping @Sendable (isolated Vault, Caller, repeat each Input) throws(VaultError) -> Output
    ) {
        self.name = name
        let other = otherwise ?? exposure
        exposures = exposure.word == other.word ? [exposure] : [exposure, other]
        self.exposure = { (input: repeat each Input) in
            isExposed?(repeat each input) ?? true ? exposure : other
        }
        self.items = items
        self.isForHsip = isForHsip
        self.subjects = subjects
        self.audit = audit
        self.act = act
    }

    /// Declares an operation that only looks at names, numbers and public halves: nothing is asked about it or logged.
    static func look(
        _ name: String,
        items: ItemUse? = nil,
        _ act: @escaping @Sendable (isolated Vault, Caller, repeat each Input) throws(VaultError) -> Output
    ) -> Self {
        Self(name, .names, items: items, audit: nil, act)
    }

    /// What policy and log are told of a call.
    func request(_ input: repeat each Input) -> OperationRequest {
        OperationRequest(
            name,
            exposure(repeat each input),
            subjects?(repeat each input) ?? .none,
            items: items,
            isForHsip: isForHsip,
            audit: audit
        )
    }

    /// Does it in an open vault.
    func perform(
        _ input: repeat each Input,
        on vault: isolated Vault,
        for caller: Caller
    ) throws(VaultError) -> Output {
        try act(vault, caller, repeat each input)
    }
}
