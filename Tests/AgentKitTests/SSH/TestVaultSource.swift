import SSHFormats
import Synchronization
import VaultPolicy

@testable import AgentKit

/// Stands in for a person who opens the vault: waits until someone lets it, then opens it or does not.
final class TestVaultSource: SSHVaultSource {
    private struct State {
        var asked = 0
        var uses = 0
        var cancelled = 0
        var hasPerson = false
    }

    private let state = Mutex(State())
    /// Let go of it and the question is answered.
    private let answer = Mutex<(@Sendable () -> Bool)?>(nil)
    private let whenAsked = Mutex<(@Sendable () -> Void)?>(nil)

    var asked: Int { state.withLock { $0.asked } }
    var uses: Int { state.withLock { $0.uses } }
    var cancelled: Int { state.withLock { $0.cancelled } }

    /// What happens to the next question; without it, it stays open until it is cancelled.
    func answer(_ body: @escaping @Sendable () -> Bool) { answer.withLock { $0 = body } }
    func whenAsked(_ body: @escaping @Sendable () -> Void) { whenAsked.withLock { $0 = body } }

    func unlock(for connection: Connection, until interest: Cancellation) -> Bool {
        state.withLock { $0.asked += 1 }
        whenAsked.withLock { $0 }?()
        if let answer = answer.withLock({ $0 }) { return answer() }
        _ = interest.wait(for: -1)
        state.withLock { $0.cancelled += 1 }
        return false
    }

    /// Whether someone sits there who can be asked; no one, until a test says so.
    func canAsk(_ isThere: Bool) { state.withLock { $0.hasPerson = isThere } }

    func canAsk(for connection: Connection) -> Bool { state.withLock { $0.hasPerson } }

    func noteUse() { state.withLock { $0.uses += 1 } }
}

/// Says yes to everything until told otherwise, and keeps what it was asked.
final class SSHTestGate: SSHGate {
    private let acts = Mutex<[Act]>([])
    private let refused = Mutex<[HostFacts]>([])
    private let verdict = Mutex<@Sendable (Act) -> Bool>({ _ in true })

    var asked: [Act] { acts.withLock { $0 } }
    var refusedHosts: [HostFacts] { refused.withLock { $0 } }

    func decide(_ body: @escaping @Sendable (Act) -> Bool) { verdict.withLock { $0 = body } }

    func permits(_ act: Act, for connection: Connection, until interest: Cancellation) -> Bool {
        acts.withLock { $0.append(act) }
        return verdict.withLock { $0 }(act)
    }

    let changes = Mutex<[RingChange]>([])
    /// What other machines wanted to change, and what the person says to it.
    let wanted = Mutex<[RingChange]>([])
    let agrees = Mutex(true)

    func permits(
        _ change: RingChange,
        through hosts: [String],
        for connection: Connection,
        until interest: Cancellation
    ) -> Bool {
        wanted.withLock { $0.append(change) }
        return agrees.withLock { $0 }
    }

    /// Asks the person about a security key; nobody, until a test says so.
    let prompter = Mutex<(any Prompter)?>(nil)
    let faults = Mutex<[SecurityKeyFault]>([])

    func person(
        for act: Act,
        of connection: Connection,
        until interest: Cancellation
    ) -> SecurityKeySigner.Person? {
        SecurityKeySigner.Person(prompter.withLock { $0 }, lines: ["who"], key: "“k”", until: interest)
    }

    func noteFailure(of act: Act, _ fault: SecurityKeyFault, for connection: Connection) {
        faults.withLock { $0.append(fault) }
    }

    func records(_ change: RingChange, for connection: Connection) -> Bool {
        changes.withLock { $0.append(change) }
        return true
    }

    func noteRefusal(of host: HostFacts, for connection: Connection) {
        refused.withLock { $0.append(host) }
    }
}
