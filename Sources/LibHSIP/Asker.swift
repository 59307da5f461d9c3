internal import AgentProtocol
internal import Synchronization

/// Brings questions of the vault to the call that is being done.
final class Asker: AgentCaller {
    private let current = Mutex<BlockingCall?>(nil)

    /// From now on questions belong to this call; nil for none.
    func serve(_ call: BlockingCall?) { current.withLock { $0 = call } }

    /// Asks, and waits for the person.
    func answer(_ question: Question) -> Answer {
        guard let call = current.withLock({ $0 }) else { return .nobody }
        return call.ask(question)
    }
}
