internal import Audit
internal import VaultPolicy
internal import VaultCrypto

extension Operation {
    /// A call of it.
    func call(_ input: repeat each Input) throws(VaultError) -> VaultCall {
        let secretList = CallEncoder.SecretList()
        do {
            var list: [CallValue] = []
            for item in repeat each input { list.append(try CallEncoder.value(of: item, secretList)) }
            let arguments = CallValue.list(list).encoded
            return VaultCall(operation: name, arguments: arguments, secrets: secretList.secrets)
        } catch {
            throw .malformedCall
        }
    }

    /// What an answer to a call says.
    func output(of answer: VaultAnswer) throws(VaultError) -> Output {
        let value = try CallValue(encoded: answer.result)
        do {
            return try CallDecoder.decode(Output.self, value, answer.secrets)
        } catch {
            throw .malformedCall
        }
    }
}

/// An operation whose types are not said: what a table holds.
protocol AnyOperation: Sendable {
    var name: String { get }
    var exposures: [Exposure] { get }
    var audit: AuditKind? { get }

    /// Reads the arguments of a call, once.
    func prepare(_ call: VaultCall) throws(VaultError) -> PreparedCall
}

extension Operation: AnyOperation {
    func prepare(_ call: VaultCall) throws(VaultError) -> PreparedCall {
        let input = try input(of: call)
        return PreparedCall(request: request(repeat each input)) {
            (vault: isolated Vault, caller: Caller) throws(VaultError) in
            let output = try self.perform(repeat each input, on: vault, for: caller)
            let secretList = CallEncoder.SecretList()
            do {
                let result = try CallEncoder.value(of: output, secretList).encoded
                return VaultAnswer(result: result, secrets: secretList.secrets)
            } catch {
                throw .malformedCall
            }
        }
    }

    private func input(of call: VaultCall) throws(VaultError) -> (repeat each Input) {
        guard case .list(let items) = try CallValue(encoded: call.arguments) else { throw .malformedCall }
        var rest = items[...]
        func next<T: Decodable>(_ type: T.Type) throws(VaultError) -> T {
            guard let item = rest.popFirst() else { throw .malformedCall }
            do {
                return try CallDecoder.decode(type, item, call.secrets)
            } catch {
                throw .malformedCall
            }
        }
        let input: (repeat each Input) = (repeat try next((each Input).self))
        guard rest.isEmpty else { throw .malformedCall }
        return input
    }
}
