internal import AgentProtocol
internal import Glibc
internal import Secrets
package import MessageBus
internal import VaultKit

/// The vault as the Secret Service of a session: what clients on the bus ask, the agent's vault answers.
///
/// One thread owns the bus, reads what the agent answers, and owns all that is in here. Other threads leave what has
/// happened in the mailbox.
package final class Front {
    /// The name under which programs find it.
    package static let name = "org.freedesktop.secrets"
    /// Sessions of all clients.
    static let maximumSessions = 1_024
    /// Prompts of all clients.
    static let maximumPrompts = 64
    /// Seconds for which a prompt waits to be shown.
    static let promptPatience = 300
    /// Bytes in the content type of a value.
    static let longestType = 128

    let bus: Bus
    let pool: AgentPool
    let mailbox: Mailbox
    let program: String
    let memory: CollectionsFile
    /// This process as a client of the agent, for what concerns all clients; nobody is asked because of it.
    let own: Client
    var clients: [String: Client] = [:]
    /// What was last seen of the vault.
    var vaultState: VaultState
    /// Whether that may be another one by now.
    var isStale = true
    /// Collections whose items are others than those who read the list were told.
    var staleLists: Set<String> = []
    /// Items that are gone with this process.
    var session = SessionCollection()
    /// What the portal waits for, by the paths at which it can be closed.
    var requests: [String: PortalRequest] = [:]
    /// Whether values may travel in clear.
    let allowsPlain: Bool
    var deadlines = Deadlines()
    private let quota: CallQuota
    /// Calls of the bus that say who a client is, by their numbers.
    var asked: [UInt64: String] = [:]
    /// What the agent does, or is to do, by its number.
    var pending: [UInt64: Pending] = [:]
    var number: UInt64 = 0
    private var names: UInt64 = 0

    /// - Parameters:
    ///   - bus: The bus whose clients are served.
    ///   - pool: The way to the agent.
    ///   - mailbox: Where other threads leave what has happened.
    ///   - program: Name and version of this program.
    ///   - memory: What is known of collections before the vault is opened.
    ///   - allowsPlain: Whether values may travel in clear.
    package init(
        _ bus: Bus,
        _ pool: AgentPool,
        _ mailbox: Mailbox,
        program: String,
        memory: CollectionsFile,
        allowsPlain: Bool = true
    ) {
        self.bus = bus
        quota = CallQuota(bus)
        self.pool = pool
        self.mailbox = mailbox
        self.program = program
        self.memory = memory
        self.allowsPlain = allowsPlain
        vaultState = VaultState(isLocked: true, collections: memory.read())
        own = Client(bus.ownName ?? "")
        if let behalf = Behalf(bus: own.name, process: getpid(), label: nil) {
            own.status = .known(behalf.unasked)
        }
    }

    /// Subscribes to the departure of clients; false where the bus does not answer.
    package func listens() -> Bool {
        bus.listen(
            "type='signal',sender='\(Bus.daemon)',interface='\(Bus.daemon)',member='NameOwnerChanged',arg2=''"
        )
    }

    /// Why it serves no longer.
    package enum End: Sendable {
        /// The bus has ended, and with it everything that was asked.
        case busEnded
        /// Another program has the name.
        case nameLost
        /// It was told to.
        case stopped
    }

    /// Serves until the bus ends, another program has the name, or another thread says so.
    package func run() -> End {
        while true {
            reading: while true {
                switch bus.next() {
                case .message(let message):
                    if message.isSignal(Bus.daemon, "NameLost"), message.sender == Bus.daemon,
                        message.text() == Self.name
                    {
                        return .nameLost
                    }
                    take(message)
                case .nothing: continue
                case .empty: break reading
                case .lost: return .busEnded
                }
            }
            let links = pool.connections
            var requests = [pollfd(fd: bus.descriptor, events: Int16(bus.events), revents: 0)]
            requests += links.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            mailbox.wait(for: &requests, deadlines.milliseconds)
            for act in deadlines.takeDue() { act() }
            for (link, request) in zip(links, requests.dropFirst()) where request.revents != 0 {
                // One frame at a time: an answer counts before an event that came behind it.
                while pool.read(link) {
                    guard takeNews() else { return .stopped }
                    guard link.hasInput else { break }
                }
            }
            guard takeNews() else { return .stopped }
        }
    }

    /// Takes what is in the mailbox; false when the service is to stop.
    private func takeNews() -> Bool {
        // A task that runs here may post more.
        while !mailbox.isEmpty {
            for news in mailbox.take() {
                guard news != .stop else { return false }
                take(news)
            }
        }
        return true
    }

    private func take(_ news: Mailbox.News) {
        switch news {
        case .finished(let number): pending.removeValue(forKey: number)?.finish()
        case .asking(let number): stepAside(number)
        case .opened, .locked:
            isStale = true
            saw(VaultState(isLocked: news == .locked, collections: vaultState.collections), isWhole: false)
            if news == .opened { lookAround() }
        case .changed(let items):
            isStale = true
            lookAround { [unowned self] in tell(items) }
        case .stop: break
        }
    }

    private func take(_ message: BusMessage) {
        if message.isCall {
            guard quota.takes(message) else { return refuse(message, CallFailure.tooMuch) }
            admit(message)
        } else if let number = message.answers {
            guard message.sender == Bus.daemon, let name = asked.removeValue(forKey: number) else { return }
            identify(name, message)
        } else if message.isSignal(Bus.daemon, "NameOwnerChanged"), message.sender == Bus.daemon,
            let name = message.text(), message.text() != nil, message.text() == ""
        {
            forget(name)
        }
    }

    /// A name that no session and no prompt had before.
    func nextName(_ kind: String) -> String {
        names += 1
        return "\(kind)\(names)"
    }

    func refuse(_ call: BusMessage, _ error: any Error) {
        // What was not read because it is too long has the right type all the same.
        let failure = call.isTooLong ? CallFailure.tooMuch : CallFailure(error)
        bus.refuse(call, failure.error, failure.text)
    }
}
