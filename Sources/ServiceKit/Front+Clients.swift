internal import AgentProtocol
internal import Glibc
internal import MessageBus
internal import VaultCrypto

/// Who the clients are: each is known before its first call is served, and forgotten when its connection ends.
extension Front {
    /// Clients that are known at a time; of one program half of them, as it can fork.
    private static let maximumClients = 1_024

    func admit(_ call: BusMessage) {
        guard let sender = call.sender, sender != own.name else { return }
        if let client = clients[sender] {
            switch client.status {
            case .known: serve(call, client)
            case .refused: refuse(call, CallFailure.denied)
            case .asked(let calls):
                guard calls.count < Client.calls else { return refuse(call, CallFailure.tooMuch) }
                client.status = .asked(calls + [call])
            }
            return
        }
        makeRoom()
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
        client.status = .asked([call])
        clients[sender] = client
        asked[number] = sender
    }

    func identify(_ name: String, _ answer: BusMessage) {
        guard let client = clients[name], case .asked(let calls) = client.status else { return }
        if let behalf = ClientCredentials.behalf(answer, of: name) {
            client.status = .known(behalf)
            client.groups = [
                .process(behalf.process), .program(Self.program(of: behalf.pid)),
            ]
            guard makeRoom(for: client) else {
                // It may come again: others of its process or program may have gone by then.
                clients[name] = nil
                for call in calls { refuse(call, CallFailure.tooMuch) }
                return
            }
            for call in calls { serve(call, client) }
        } else {
            client.status = .refused
            for call in calls { refuse(call, CallFailure.denied) }
        }
    }

    /// A client has gone: its sessions are wiped, and what the agent does for it ends.
    func forget(_ name: String) {
        guard let client = clients.removeValue(forKey: name) else { return }
        for path in client.prompts.keys { deadlines.remove(path) }
        for work in client.queue { pending[work.number] = nil }
        client.end()
    }

    /// Clients and sessions that a group may have.
    private static func limits(of group: Client.Group) -> (clients: Int, sessions: Int) {
        switch group {
        case .process: (32, 64)
        case .program: (maximumClients / 2, maximumSessions / 2)
        }
    }

    /// Whether a client may have one more session, beside all others and those of its process and its program.
    func hasRoomForSession(_ client: Client) -> Bool {
        func sessions(_ isCounted: (Client) -> Bool = { _ in true }) -> Int {
            clients.values.reduce(0) { isCounted($1) ? $0 + $1.sessions.count : $0 }
        }
        return client.sessions.count < Client.sessions && sessions() < Self.maximumSessions
            && client.groups.allSatisfy { group in
                sessions { $0.groups.contains(group) } < Self.limits(of: group).sessions
            }
    }

    /// Makes room for a client among those of its process and its program; false where there is none.
    private func makeRoom(for client: Client) -> Bool {
        client.groups.allSatisfy { group in
            let limit = Self.limits(of: group).clients
            func others() -> [Client] { clients.values.filter { $0 !== client && $0.groups.contains(group) } }
            if others().count >= limit { forgetIdle(others(), beyond: limit - 1) }
            return others().count < limit
        }
    }

    private func makeRoom() { forgetIdle(Array(clients.values), beyond: Self.maximumClients - 1) }

    /// Forgets clients that have nothing here, until as many are left as may be: each may come again.
    ///
    /// Those that are to be told of what they read stay, as long as there are others.
    private func forgetIdle(_ all: [Client], beyond count: Int) {
        var surplus = all.count - count
        for isWatching in [false, true] {
            for client in all where surplus > 0 && client.isIdle && client.isWatching == isWatching {
                clients[client.name] = nil
                surplus -= 1
            }
        }
    }

    /// The file of the program that a process runs, for the count of its connections alone.
    private static func program(of pid: Int32) -> String {
        var bytes = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/proc/\(pid)/exe", &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Who a client is, as the bus saw it when it connected.
enum ClientCredentials {
    /// Bytes in the longest name of the kernel's security module that is read.
    private static let longestSecurityLabel = 255

    /// Reads an answer of `GetConnectionCredentials`; nil without a process, or of another user.
    static func behalf(_ answer: BusMessage, of name: String) -> Behalf? {
        guard !answer.isError, answer.enter("a", "{sv}") else { return nil }
        var pid: UInt32?
        var uid: UInt32?
        var label: String?
        var descriptor: Int32?
        defer { if let descriptor { close(descriptor) } }
        while answer.enter("e", "sv") {
            switch (answer.text(), answer.nextVariant) {
            case ("ProcessID"?, "u"?): pid = within(answer, "u") { answer.number() }
            case ("UnixUserID"?, "u"?): uid = within(answer, "u") { answer.number() }
            case ("LinuxSecurityLabel"?, "ay"?): label = within(answer, "ay") { text(answer) }
            case ("ProcessFD"?, "h"?) where descriptor == nil:
                descriptor = within(answer, "h") { answer.descriptor() }
            default: answer.skip("v")
            }
            answer.leave()
        }
        answer.leave()
        guard let pid, let process = Int32(exactly: pid), uid == geteuid() else { return nil }
        // Newer buses give one: then the number is known to be that of the process that connected.
        guard let descriptor else { return Behalf(bus: name, process: process, label: label) }
        return Behalf(bus: name, process: process, descriptor: descriptor, label: label)
    }

    private static func within<R>(_ answer: BusMessage, _ type: String, _ read: () -> R?) -> R? {
        guard answer.enter("v", type) else { return nil }
        defer { answer.leave() }
        return read()
    }

    /// The bytes up to the zero that ends them.
    private static func text(_ answer: BusMessage) -> String? {
        let bytes = answer.bytes { span in span.byteCount <= longestSecurityLabel + 1 ? span.copied() : [] }
        return bytes.flatMap { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
