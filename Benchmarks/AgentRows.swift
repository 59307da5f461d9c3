internal import Glibc

/// The agent on its ssh socket, beside OpenSSH's; and how much memory it takes.
enum AgentRows {
    private static let rounds = 11
    private static let signs = 400
    private static let lists = 2_000
    private static let clients = 8
    private static let requests = 100_000

    static func measure(hsip: String, sshAgent: String, sshAdd: String, in folder: String) throws -> [Row] {
        let pair = try AgentPair(
            keys: 10,
            hsip: hsip,
            sshAgent: sshAgent,
            sshAdd: sshAdd,
            in: folder + "/agents"
        )
        defer { pair.end() }
        guard let theirs = pair.theirs, let number = pair.theirNumber else { throw BenchmarkError.usage }
        let (mine, peer) = (try pair.home.agentMemory(), try Scratch.residentMemory(of: Int(number)))
        let memory = Row(
            what: "resident memory of the agent, with ten keys",
            ours: Format.mebibytes(mine),
            peer: "\(Format.mebibytes(peer)) ssh-agent",
            ratio: Double(mine) / Double(peer),
            target: .none
        )
        return try signatures(pair, theirs) + [try list(pair.ours, theirs), memory]
            + (try size(hsip: hsip, in: folder + "/hundred"))
    }

    private static func signatures(_ pair: AgentPair, _ theirs: String) throws -> [Row] {
        let (one, peer) = (try Signer(pair.ours, to: pair.host), try Signer(theirs, to: pair.host))
        let many = try (0..<clients).map { _ in try Signer(pair.ours, to: pair.host) }
        let seconds = try Rounds.run(
            rounds,
            [
                { try Signer.work([one], signs: signs) },
                { try Signer.work([peer], signs: signs) },
                { try Signer.work(many, signs: signs) },
            ]
        )
        let each = seconds.map { Rounds.median($0) / Double(signs) }
        return [
            Row(
                what: "Ed25519 signatures for a login, one client",
                ours: Format.time(each[0]),
                peer: "\(Format.time(each[1])) ssh-agent",
                ratio: Rounds.ratio(seconds[1], seconds[0]),
                target: .speed(atLeast: 5)
            ),
            Row(
                what: "Ed25519 signatures for a login, \(clients) clients",
                ours: Format.time(each[2]),
                peer: "\(Format.time(each[0])) one client",
                ratio: Rounds.ratio(seconds[0], seconds[2]),
                target: .speed(atLeast: 1.6)
            ),
        ]
    }

    private static func list(_ ours: String, _ theirs: String) throws -> Row {
        let sockets = (try AgentSocket(ours), try AgentSocket(theirs))
        let seconds = try Rounds.run(
            rounds,
            [{ try ask(sockets.0, times: lists) }, { try ask(sockets.1, times: lists) }]
        )
        return Row(
            what: "list of ten keys",
            ours: Format.time(Rounds.median(seconds[0]) / Double(lists)),
            peer: "\(Format.time(Rounds.median(seconds[1]) / Double(lists))) ssh-agent",
            ratio: Rounds.ratio(seconds[1], seconds[0]),
            target: .speed(atLeast: 1)
        )
    }

    private static func ask(_ socket: AgentSocket, times: Int) throws {
        for _ in 0..<times {
            _ = try socket.ask(AgentMessages.list, expecting: AgentMessages.identities)
        }
    }

    /// Resident memory with a hundred keys, idle and after many requests: each its own connection now and then.
    private static func size(hsip: String, in folder: String) throws -> [Row] {
        let pair = try AgentPair(keys: 100, hsip: hsip, sshAgent: nil, sshAdd: nil, in: folder)
        defer { pair.end() }
        let idle = try pair.home.agentMemory()
        // What is used for the first time is not growth.
        try use(pair, requests: 2_000)
        let warm = try pair.home.agentMemory()
        try use(pair, requests: requests)
        let end = try pair.home.agentMemory()
        return [
            Row(
                what: "resident memory of the agent, idle with 100 keys",
                ours: Format.mebibytes(idle),
                peer: "-",
                ratio: nil,
                target: .none
            ),
            Row(
                what: "resident memory after \(requests) requests",
                ours: Format.mebibytes(end),
                peer: "\(Format.mebibytes(warm)) before them",
                ratio: Double(end) / Double(warm),
                target: .bound("≤ 12 MiB", isMet: end <= 12 << 10)
            ),
        ]
    }

    /// Lists and signatures in turns, a hundred to a connection.
    private static func use(_ pair: AgentPair, requests: Int) throws {
        for _ in 0..<requests / 100 { try Signer.work([try Signer(pair.ours, to: pair.host)], signs: 98) }
    }
}
