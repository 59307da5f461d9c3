internal import Glibc
internal import SSHFormats

/// A client that logs in again and again: bound to a host, as ssh is, and with the request ready.
struct Signer {
    private let socket: AgentSocket
    private let request: [UInt8]

    init(_ path: String, to host: PrivateKey) throws {
        socket = try AgentSocket(path)
        let session = AgentMessages.Session(with: host)
        _ = try socket.ask(try session.binding(), expecting: AgentMessages.success)
        let answer = try socket.ask(AgentMessages.list, expecting: AgentMessages.identities)
        guard let key = AgentMessages.keys(in: answer).first else { throw BenchmarkError.missingRecord }
        request = session.login(key, user: "somebody")
    }

    /// As many signatures in all; each client has one request on its way.
    static func work(_ clients: [Signer], signs: Int) throws {
        if let only = clients.first, clients.count == 1 {
            for _ in 0..<signs { _ = try only.socket.ask(only.request, expecting: AgentMessages.signature) }
            return
        }
        var (sent, done) = (0, 0)
        for client in clients where sent < signs {
            try client.socket.send(client.request)
            sent += 1
        }
        var polled = clients.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
        while done < signs {
            guard unsafe poll(&polled, nfds_t(polled.count), 60_000) > 0 else {
                throw BenchmarkError.system(errno)
            }
            for index in polled.indices where polled[index].revents != 0 {
                let answer = try clients[index].socket.receive()
                guard answer.first == AgentMessages.signature else {
                    throw BenchmarkError.answer(answer.first ?? 0)
                }
                done += 1
                guard sent < signs else { continue }
                try clients[index].socket.send(clients[index].request)
                sent += 1
            }
        }
    }
}
