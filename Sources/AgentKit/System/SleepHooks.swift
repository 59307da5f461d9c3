internal import Glibc
internal import Synchronization
internal import MessageBus

/// Locks when the machine goes to sleep, the screen is locked or the session ends, as logind tells it.
///
/// Sleep waits for us: an inhibitor of the kind `delay` is held until the keys are wiped. Where there is no
/// logind, or it went away, the status says so and it is tried again.
package final class SleepHooks: Sendable {
    /// What makes the vault lock, in the words of `agent status`.
    package enum Hook: String, Sendable, CaseIterable { case sleep, screen, session }

    private struct State {
        var hooks: [Hook] = []
    }

    /// Seconds until a bus that is gone is tried again.
    private static let pause: Int32 = 30

    private let state = Mutex(State())
    private let lock: @Sendable (LockReason) -> Void

    private let address: String?

    /// - Parameters:
    ///   - address: of a bus; nil for the system's.
    ///   - lock: returns after the keys are wiped.
    package init(address: String? = nil, lock: @escaping @Sendable (LockReason) -> Void) {
        self.address = address
        self.lock = lock
    }

    /// What works at the moment.
    package var active: [Hook] { state.withLock { $0.hooks } }

    /// Listens until `stop`; on a thread that may wait.
    ///
    package func run(until stop: Cancellation) { run(until: stop, pause: Self.pause * 1_000) }

    /// Listens until `stop`, with a pause of so many milliseconds between two tries.
    func run(until stop: Cancellation, pause: Int32) {
        while !stop.isCancelled {
            if let bus = Bus(address: address) {
                var login = LoginManager(bus)
                if login.begin() {
                    state.withLock { $0.hooks = login.holdsSleep ? Hook.allCases : [.screen, .session] }
                    listen(&login, until: stop)
                    state.withLock { $0.hooks = [] }
                }
                login.letSleep()
            }
            _ = stop.wait(for: -1, milliseconds: pause)
        }
    }

    /// Until `stop` or the loss of logind.
    private func listen(_ login: inout LoginManager, until stop: Cancellation) {
        while true {
            switch login.bus.next() {
            case .message(let message):
                switch login.read(message) {
                case .lock(let reason): lock(reason)
                case .sleep:
                    lock(.sleep)
                    login.letSleep()
                case .wake:
                    let holds = login.holdSleep()
                    state.withLock { $0.hooks = holds ? Hook.allCases : [.screen, .session] }
                case .lost: return
                case .nothing: break
                }
            case .nothing: break
            case .lost: return
            case .empty:
                let events = login.bus.events
                guard stop.wait(for: login.bus.descriptor, events) == .ready else { return }
            }
        }
    }
}
