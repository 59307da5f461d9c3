internal import Text
internal import VaultCrypto
public import VaultPolicy

/// One operation of the vault: its name, exposure, subjects, audit kind, and its function in an open vault.
///
/// Inputs and output can be encoded, so the same value serves a vault in this process and a vault behind an agent.
public struct Operation<Output: Codable & Sendable, each Input: Codable & Sendable>: Sendable {
    /// The name for calls from another process.
    public let name: String
    /// The possible exposures; if the arguments decide, the highest exposure is first.
    public let exposures: [Exposure]
    /// The kind in the audit log; nil if the log has no entry for the operation.
    public let audit: AuditKind?
    let items: ItemUse?
    private let isForHsip: Bool
    private let exposure: @Sendable (repeat each Input) -> Exposure
    private let subjects: (@Sendable (repeat each Input) -> CallSubjects)?
    private let act: @Sendable (isolated Vault, Caller, repeat each Input) throws -> Output

    /// Declares an operation.
    ///
    /// - Parameters:
    ///   - name: The name for calls from another process.
    ///   - exposure: The exposure of a call.
    ///   - isExposed: Whether these arguments have the exposure `exposure`; if it is nil, they always have.
    ///   - otherwise: The exposure of other arguments.
    ///   - items: The use of programs' items; nil for none.
    ///   - isForHsip: Whether only hsip may call it.
    ///   - subjects: The subjects of a call, from its arguments.
    ///   - audit: The kind in the audit log; nil if the log has no entry for the operation.
    ///   - act: Runs the operation in an open vault. It may differ by caller.
    init(
        _ name: String,
        _ exposure: Exposure,
        when isExposed: (@Sendable (repeat each Input) -> Bool)? = nil,
        otherwise: Exposure? = nil,
        items: ItemUse? = nil,
        isForHsip: Bool = false,
        subjects: (@Sendable (repeat each Input) -> CallSubjects)? = nil,
        audit: AuditKind?,
        _ act: @escaping @Sendable (isolated Vault, Caller, repeat each Input) throws -> Output
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

    /// Declares an operation that only reads names, numbers and public halves.
    ///
    /// It needs no question and no log entry.
    static func look(
        _ name: String,
        items: ItemUse? = nil,
        _ act: @escaping @Sendable (isolated Vault, Caller, repeat each Input) throws -> Output
    ) -> Self {
        Self(name, .names, items: items, audit: nil, act)
    }

    /// Makes the request for the policy and the audit log.
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

    /// Runs the operation in an open vault.
    func perform(_ input: repeat each Input, on vault: isolated Vault, for caller: Caller)
        throws(VaultError) -> Output
    {
        do { return try act(vault, caller, repeat each input) } catch { throw VaultError(error) }
    }
}

extension Operation {
    /// Encodes a call of the operation.
    func call(_ input: repeat each Input) throws(VaultError) -> VaultCall {
        var secrets: [Secret] = []
        do throws(CallFormatError) {
            var list: [CallValue] = []
            for item in repeat each input { list.append(try CallValue(item, secrets: &secrets)) }
            let arguments = CallValue.list(list).encoded
            return VaultCall(operation: name, arguments: arguments, secrets: secrets)
        } catch {
            throw .malformedCall
        }
    }

    /// Decodes the output from an answer.
    func output(of answer: VaultAnswer) throws(VaultError) -> Output {
        try asVaultError {
            try CallValue(encoded: answer.result).decoded(Output.self, secrets: answer.secrets)
        }
    }
}

/// An operation without its types, as a table stores it.
protocol AnyOperation: Sendable {
    var name: String { get }
    var exposures: [Exposure] { get }
    var audit: AuditKind? { get }
    var items: ItemUse? { get }

    /// Reads the arguments of a call, once.
    func prepare(_ call: VaultCall) throws -> PreparedCall
}

extension Operation: AnyOperation {
    func prepare(_ call: VaultCall) throws -> PreparedCall {
        let input = try input(of: call)
        return PreparedCall(request: request(repeat each input)) {
            (vault: isolated Vault, caller: Caller) in
            let output = try self.perform(repeat each input, on: vault, for: caller)
            var secrets: [Secret] = []
            let result = try CallValue(output, secrets: &secrets).encoded
            return VaultAnswer(result: result, secrets: secrets)
        }
    }

    private func input(of call: VaultCall) throws -> (repeat each Input) {
        guard case .list(let items) = try CallValue(encoded: call.arguments) else {
            throw VaultError.malformedCall
        }
        var rest = items[...]
        func next<T: Decodable>(_ type: T.Type) throws -> T {
            guard let item = rest.popFirst() else { throw VaultError.malformedCall }
            return try item.decoded(type, secrets: call.secrets)
        }
        let input: (repeat each Input) = (repeat try next((each Input).self))
        guard rest.isEmpty else { throw VaultError.malformedCall }
        return input
    }
}
