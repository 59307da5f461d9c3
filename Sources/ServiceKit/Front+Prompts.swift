internal import MessageBus
internal import Secrets

/// The prompts that lead to the agent's questions.
extension Front {
    /// Makes a prompt for a client; it goes by itself where it is not shown in time.
    func newPrompt(
        _ client: Client,
        dismissed: Prompt.Outcome,
        _ begin: @escaping (_ path: String) -> UInt64?
    ) throws -> String {
        guard client.prompts.count < Client.prompts,
            clients.values.reduce(0, { $0 + $1.prompts.count }) < Self.maximumPrompts
        else { throw CallFailure.tooMuch }
        let path = ObjectPath.prompt(nextName("p")).text
        client.prompts[path] = Prompt(dismissed: dismissed, begin: begin)
        deadlines.add(path, seconds: Self.promptPatience) { [weak client] in client?.prompts[path] = nil }
        return path
    }

    func prompt(_ call: BusMessage, _ member: String, _ path: String, _ client: Client) throws {
        guard let prompt = client.prompts[path] else {
            let isOthers = clients.values.contains { $0.prompts[path] != nil }
            throw isOthers ? CallFailure.notYours : CallFailure.noSuchObject
        }
        switch member {
        case "Prompt":
            try want(call, "s")
            bus.answer(call)
            guard !prompt.isShown else { return }
            prompt.isShown = true
            deadlines.remove(path)
            prompt.work = prompt.begin(path)
            if prompt.work == nil { complete(path, nil, client) }
        case "Dismiss":
            try want(call, "")
            bus.answer(call)
            if let work = prompt.work { cancel(work, of: client) }
            complete(path, nil, client)
        default: throw unknown(member)
        }
    }

    /// Tells the client how its prompt ended, nil for dismissed; the second time does nothing.
    func complete(_ path: String, _ outcome: Prompt.Outcome?, _ client: Client) {
        guard let prompt = client.prompts.removeValue(forKey: path) else { return }
        deadlines.remove(path)
        guard let signal = BusMessage(signalOf: bus, path, Interface.prompt, "Completed", to: client.name)
        else { return }
        signal.put(outcome == nil)
        (outcome ?? prompt.dismissed).write(to: signal)
        bus.send(signal)
    }
}

/// A question that a client may have put to the person.
final class Prompt {
    /// What comes of it: by its type, also where the person says no.
    enum Outcome {
        case paths([String])
        case path(String)
        /// Nothing but that it is done.
        case done

        /// What a prompt that was dismissed says.
        var empty: Outcome {
            switch self {
            case .paths: .paths([])
            case .path: .path(ObjectPath.none)
            case .done: .done
            }
        }

        func write(to message: BusMessage) {
            switch self {
            case .paths(let paths): message.variant("ao") { message.put(paths: paths) }
            case .path(let path): message.variant("o") { message.put(path, "o") }
            case .done: message.variant("s") { message.put("") }
            }
        }
    }

    /// What it says when it is dismissed.
    let dismissed: Outcome
    /// Begins it; nil where too much is under way.
    let begin: (_ path: String) -> UInt64?
    /// Whether the client has had it shown.
    var isShown = false
    var work: UInt64?

    init(dismissed: Outcome, begin: @escaping (_ path: String) -> UInt64?) {
        (self.dismissed, self.begin) = (dismissed.empty, begin)
    }
}
