internal import AgentProtocol
internal import Glibc
package import MessageBus
internal import ServiceFormats
internal import VaultKit

/// The vault as the Secret Service of a session: what clients on the bus ask, the agent's vault answers.
///
/// One thread owns the bus and all that is in here. What the agent does takes its time elsewhere, and its result comes back
/// over the mailbox.
package final class Front {
    /// The name under which programs find it.
    package static let name = "org.freedesktop.secrets"
    /// Clients that are known at a time.
    private static let maximumClients = 512
    /// Sessions of all clients.
    static let maximumSessions = 512
    /// Prompts of all clients.
    static let maximumPrompts = 64
    /// Bytes in the content type of a value.
    static let longestType = 128

    let bus: Bus
    let pool: AgentPool
    let mailbox: Mailbox
    let program: String
    var clients: [String: Client] = [:]
    /// What was last seen of the vault.
    var glance = Glance(isLocked: true, collections: [])
    /// Whether values may travel in clear.
    let allowsPlain: Bool
    /// Calls of the bus that say who a client is, by their numbers.
    private var asked: [UInt64: String] = [:]
    /// What goes on when some work is done.
    private var waiting: [UInt64: () -> Void] = [:]
    private var number: UInt64 = 0
    private var names: UInt64 = 0

    package init(_ bus: Bus, _ pool: AgentPool, _ mailbox: Mailbox, program: String, allowsPlain: Bool = true)
    {
        self.bus = bus
        self.pool = pool
        self.mailbox = mailbox
        self.program = program
        self.allowsPlain = allowsPlain
    }

    /// Wants to hear which clients go; false where the bus does not answer.
    package func listens() -> Bool {
        bus.listen(
            "type='signal',sender='\(Bus.daemon)',interface='\(Bus.daemon)',member='NameOwnerChanged',arg2=''"
        )
    }

    /// Serves until the bus ends, another program has the name, or another thread says so.
    package func run() {
        while true {
            reading: while true {
                switch bus.next() {
                case .message(let message):
                    if message.isSignal(Bus.daemon, "NameLost"), message.text() == Self.name { return }
                    take(message)
                case .nothing: continue
                case .empty: break reading
                case .lost: return
                }
            }
            var requests = [
                pollfd(fd: bus.descriptor, events: Int16(bus.events), revents: 0),
                pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&requests, 2, -1)
            guard requests[1].revents != 0 else { continue }
            for news in mailbox.take() {
                switch news {
                case .finished(let number): waiting.removeValue(forKey: number)?()
                case .opened: saw(Glance(isLocked: false, collections: glance.collections))
                case .locked: saw(Glance(isLocked: true, collections: glance.collections))
                case .stop: return
                }
            }
        }
    }

    private func take(_ message: BusMessage) {
        if message.isCall {
            admit(message)
        } else if let number = message.answers {
            if let name = asked.removeValue(forKey: number) { identify(name, message) }
        } else if message.isSignal(Bus.daemon, "NameOwnerChanged"), let name = message.text(),
            message.text() != nil, message.text() == ""
        {
            forget(name)
        }
    }

    // MARK: Clients

    private func admit(_ call: BusMessage) {
        guard let sender = call.sender else { return }
        if let client = clients[sender] {
            switch client.standing {
            case .known: serve(call, client)
            case .refused: refuse(call, CallFailure.denied)
            case .asked(let calls):
                guard calls.count < Client.calls else { return refuse(call, CallFailure.tooMuch) }
                client.standing = .asked(calls + [call])
            }
            return
        }
        guard clients.count < Self.maximumClients,
            let question = BusMessage(
                to: bus,
                Bus.daemon,
                Bus.daemonPath,
                Bus.daemon,
                "GetConnectionCredentials"
            )
        else { return refuse(call, CallFailure.tooMuch) }
        question.put(sender)
        guard let number = bus.begin(question) else { return refuse(call, CallFailure.tooMuch) }
        let client = Client(sender)
        client.standing = .asked([call])
        clients[sender] = client
        asked[number] = sender
    }

    private func identify(_ name: String, _ answer: BusMessage) {
        guard let client = clients[name], case .asked(let calls) = client.standing else { return }
        if let behalf = Credentials.behalf(answer, of: name) {
            client.standing = .known(behalf)
            for call in calls { serve(call, client) }
        } else {
            client.standing = .refused
            for call in calls { refuse(call, CallFailure.denied) }
        }
    }

    /// A client has gone: its sessions are wiped, and what the agent does for it ends.
    private func forget(_ name: String) { clients.removeValue(forKey: name)?.end() }

    // MARK: Work

    /// Has something done for a client, and goes on with its result on this thread, unless the client has gone.
    @discardableResult
    func start<Value: Sendable>(
        for client: Client,
        _ act: @escaping @Sendable (AgentVault) async throws -> Value,
        _ then: @escaping (Result<Value, any Error>) -> Void
    ) -> UInt64? {
        guard case .known(let behalf) = client.standing, client.tasks.count < Client.calls else { return nil }
        number += 1
        let (number, mailbox, box) = (number, mailbox, ResultBox<Value>())
        let vault = AgentVault(pool: pool, behalf: behalf)
        waiting[number] = { [weak self, weak client] in
            guard let self, let client, let result = box.take() else { return }
            client.tasks[number] = nil
            guard self.clients[client.name] === client else { return }
            then(result)
        }
        client.tasks[number] = Task {
            do {
                box.put(.success(try await act(vault)))
            } catch {
                box.put(.failure(error))
            }
            mailbox.post(.finished(number))
        }
        return number
    }

    /// Has something done for a call, and answers it; what goes wrong is its refusal.
    func work<Value: Sendable>(
        _ call: BusMessage,
        for client: Client,
        _ act: @escaping @Sendable (AgentVault) async throws -> Value,
        _ then: @escaping (Value) throws -> Void
    ) {
        let number = start(for: client, act) { [unowned self] result in
            do { try then(try result.get()) } catch { refuse(call, error) }
        }
        if number == nil { refuse(call, CallFailure.tooMuch) }
    }

    /// A name that no session and no prompt had before.
    func nextName(_ kind: String) -> String {
        names += 1
        return "\(kind)\(names)"
    }

    func refuse(_ call: BusMessage, _ error: any Error) {
        let failure = CallFailure(error)
        bus.refuse(call, failure.error, failure.text)
    }
}
