internal import Text
internal import VaultCrypto
internal import VaultPolicy

extension Operation {
    /// A call of it.
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

    /// The output in an answer to a call.
    func output(of answer: VaultAnswer) throws(VaultError) -> Output {
        try asVaultError {
            try CallValue(encoded: answer.result).decoded(Output.self, secrets: answer.secrets)
        }
    }
}

/// An operation whose types are not said: what a table holds.
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
