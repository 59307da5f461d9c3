internal import HSIP
internal import VaultCrypto

/// One operation of the vault: its name, what it touches, and how an open vault does it.
///
/// What goes in and comes out can be encoded, so the same line serves a vault in this process and one behind a
/// wall.
public struct Operation<Output: Codable & Sendable, each Input: Codable & Sendable>: Sendable {
    /// The name under which it crosses a wall.
    public let name: String
    /// What it does to what the vault keeps.
    public let touch: Touch
    /// Whether verdicts that come later may be others by it: it changes rules, the conditions of a key, which host is
    /// believed, or where a name leads that rules and conditions go by.
    public let decidesLater: Bool
    let act: @Sendable (isolated Vault, repeat each Input) throws(VaultError) -> Output

    /// What changes the vault decides later unless it is known not to: what was forgotten here is asked about.
    init(
        _ name: String,
        _ touch: Touch,
        decidesLater: Bool? = nil,
        _ act: @escaping @Sendable (isolated Vault, repeat each Input) throws(VaultError) -> Output
    ) {
        self.name = name
        self.touch = touch
        self.decidesLater = decidesLater ?? (touch == .change || touch == .trust)
        self.act = act
    }

    /// A call of it.
    func call(_ input: repeat each Input) throws(VaultError) -> VaultCall {
        let bag = CallEncoder.Bag()
        do {
            var list: [CallValue] = []
            for item in repeat each input { list.append(try CallEncoder.value(of: item, bag)) }
            let arguments = CallValue.list(list).encoded
            return VaultCall(operation: name, arguments: arguments, secrets: bag.secrets)
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

extension Vault {
    /// Does an operation.
    func perform<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        _ input: repeat each Input
    ) throws(VaultError) -> Output {
        try operation.act(self, repeat each input)
    }
}

/// An operation whose types are not said: what a table holds.
protocol AnyOperation: Sendable {
    var name: String { get }
    var touch: Touch { get }
    var decidesLater: Bool { get }

    func answer(_ call: VaultCall, on vault: Vault) async throws(VaultError) -> VaultAnswer
    func subjects(of call: VaultCall) throws(VaultError) -> [String]
    func senders(of call: VaultCall) throws(VaultError) -> [PeerID]
    func comparesValues(_ call: VaultCall) throws(VaultError) -> Bool
}

extension Operation: AnyOperation {
    /// Reads the arguments, acts, and encodes what came of it.
    func answer(_ call: VaultCall, on vault: Vault) async throws(VaultError) -> VaultAnswer {
        let input = try input(of: call)
        let output = try await vault.perform(self, repeat each input)
        let bag = CallEncoder.Bag()
        do {
            let result = try CallEncoder.value(of: output, bag).encoded
            return VaultAnswer(result: result, secrets: bag.secrets)
        } catch {
            throw .malformedCall
        }
    }

    /// What the first argument names that names something.
    func subjects(of call: VaultCall) throws(VaultError) -> [String] {
        let input = try input(of: call)
        return Self.subjects(of: repeat each input)
    }

    static func subjects(of input: repeat each Input) -> [String] {
        for item in repeat each input {
            if let subjects = (item as? any CallSubject)?.callSubjects, !subjects.isEmpty { return subjects }
        }
        return []
    }

    /// The people from whom messages and codes come that are among the arguments, as these say.
    func senders(of call: VaultCall) throws(VaultError) -> [PeerID] {
        // Most operations take none, and what they take may be large: then it is not read for that.
        var isBrought = false
        for type in repeat (each Input).self {
            if type is any SentArgument.Type { isBrought = true }
        }
        guard isBrought else { return [] }
        let input = try input(of: call)
        var found: [PeerID] = []
        for item in repeat each input {
            if let sender = (item as? any SentArgument)?.sentBy { found.append(sender) }
        }
        return found
    }

    /// Whether an argument wants a value to be what it says.
    func comparesValues(_ call: VaultCall) throws(VaultError) -> Bool {
        let input = try input(of: call)
        for item in repeat each input {
            if let comparing = item as? any ComparingArgument, comparing.comparesValues { return true }
        }
        return false
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
