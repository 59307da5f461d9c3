public import Audit
public import VaultPolicy
internal import VaultCrypto

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
    private let exposure: @Sendable (repeat each Input) -> Exposure
    private let subjects: @Sendable (repeat each Input) -> CallSubjects
    private let act: @Sendable (isolated Vault, Caller, repeat each Input) throws(VaultError) -> Output

    private init(
        name: String,
        exposures: [Exposure],
        exposure: @escaping @Sendable (repeat each Input) -> Exposure,
        subjects: @escaping @Sendable (repeat each Input) -> CallSubjects,
        audit: AuditKind?,
        act: @escaping @Sendable (isolated Vault, Caller, repeat each Input) throws(VaultError) -> Output
    ) {
        self.name = name
        self.exposures = exposures
        self.exposure = exposure
        self.subjects = subjects
        self.audit = audit
        self.act = act
    }

    /// An operation that exposes the same whatever its arguments are.
    init(
        _ name: String,
        _ exposure: Exposure,
        subjects: @escaping @Sendable (repeat each Input) -> CallSubjects,
        audit: AuditKind?,
        _ act: @escaping @Sendable (isolated Vault, repeat each Input) throws(VaultError) -> Output
    ) {
        self.init(
            name,
            exposure,
            subjects: subjects,
            audit: audit,
            by: { (vault: isolated Vault, _: Caller, input: repeat each Input) throws(VaultError) in
                try act(vault, repeat each input)
            }
        )
    }

    /// The same, for one that is not the same for each caller.
    init(
        _ name: String,
        _ exposure: Exposure,
        subjects: @escaping @Sendable (repeat each Input) -> CallSubjects,
        audit: AuditKind?,
        by act: @escaping @Sendable (isolated Vault, Caller, repeat each Input) throws(VaultError) -> Output
    ) {
        self.init(
            name: name,
            exposures: [exposure],
            exposure: { (_: repeat each Input) in exposure },
            subjects: subjects,
            audit: audit,
            act: act
        )
    }

    /// An operation whose arguments say which of two things it exposes, or which of two questions is asked.
    init(
        _ name: String,
        _ exposure: Exposure,
        when isExposed: @escaping @Sendable (repeat each Input) -> Bool,
        otherwise: Exposure,
        subjects: @escaping @Sendable (repeat each Input) -> CallSubjects,
        audit: AuditKind?,
        _ act: @escaping @Sendable (isolated Vault, repeat each Input) throws(VaultError) -> Output
    ) {
        self.init(
            name,
            exposure,
            when: isExposed,
            otherwise: otherwise,
            subjects: subjects,
            audit: audit,
            by: { (vault: isolated Vault, _: Caller, input: repeat each Input) throws(VaultError) in
                try act(vault, repeat each input)
            }
        )
    }

    /// The same, for one that is not the same for each caller.
    init(
        _ name: String,
        _ exposure: Exposure,
        when isExposed: @escaping @Sendable (repeat each Input) -> Bool,
        otherwise: Exposure,
        subjects: @escaping @Sendable (repeat each Input) -> CallSubjects,
        audit: AuditKind?,
        by act: @escaping @Sendable (isolated Vault, Caller, repeat each Input) throws(VaultError) -> Output
    ) {
        self.init(
            name: name,
            exposures: exposure.word == otherwise.word ? [exposure] : [exposure, otherwise],
            exposure: { (input: repeat each Input) in
                isExposed(repeat each input) ? exposure : otherwise
            },
            subjects: subjects,
            audit: audit,
            act: act
        )
    }

    /// An operation that only looks at names, numbers and public halves: nothing is asked about it or written down.
    static func look(
        _ name: String,
        _ act: @escaping @Sendable (isolated Vault, repeat each Input) throws(VaultError) -> Output
    ) -> Self {
        look(name) { (vault: isolated Vault, _: Caller, input: repeat each Input) throws(VaultError) in
            try act(vault, repeat each input)
        }
    }

    /// A look that is not the same for each caller.
    static func look(
        _ name: String,
        by act: @escaping @Sendable (isolated Vault, Caller, repeat each Input) throws(VaultError) -> Output
    ) -> Self {
        Self(
            name: name,
            exposures: [.names],
            exposure: { (_: repeat each Input) in .names },
            subjects: { (_: repeat each Input) in .none },
            audit: nil,
            act: act
        )
    }

    /// What policy and log are told of a call.
    func request(_ input: repeat each Input) -> OperationRequest {
        OperationRequest(
            name,
            exposure(repeat each input),
            subjects(repeat each input),
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
