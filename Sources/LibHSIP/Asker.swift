internal import AgentProtocol
internal import Synchronization

/// Brings questions of the vault to the call that is being done.
final class Asker: AgentCaller {
    private let current = Mutex<Errand?>(nil)

    /// From now on questions belong to this call; nil for none.
    func serve(_ errand: Errand?) { current.withLock { $0 = errand } }

    /// Asks, and waits for the person.
    func answer(_ question: Question) -> Answer {
        guard let errand = current.withLock({ $0 }) else { return .nobody }
        return errand.ask(question)
    }
}
