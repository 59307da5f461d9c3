/// The whole program with an agent that is open, beside others that do as much.
enum AgentProgramRows {
    private static let records = 10_000
    private static let reads = 200
    private static let rounds = 60

    /// One record of many, beside `secret-tool lookup`; run it where a keyring is open.
    static func read(hsip: String, secretTool: String, in folder: String) throws -> [Row] {
        let home = try SampleHome(folder + "/many", hsip: hsip)
        let lines = (1..<records).map { "host-\($0).example.com \(Self.hostKey)\n" }.joined()
        try Scratch.write(Array(lines.utf8), to: folder + "/known_hosts")
        try home.run(["--yes", "ssh", "host", "import", folder + "/known_hosts"])
        try home.run(["ssh", "key", "generate", "work"])
        try home.startAgent()
        defer { _ = try? home.run(["agent", "stop"]) }
        let lookup = ["lookup", "name", "hsip-benchmark"]
        let seconds = try Rounds.run(
            reads,
            [
                { try home.run(["ssh", "key", "show", "work"]) },
                { _ = try Child.run(secretTool, lookup, inherits: true) },
            ]
        )
        let (median, late) = (Rounds.median(seconds[0]), seconds[0].sorted()[reads * 99 / 100])
        return [
            Row(
                what: "hsip, one record of \(records) through the agent",
                ours: Format.time(median),
                peer: "\(Format.time(Rounds.median(seconds[1]))) secret-tool lookup",
                ratio: Rounds.ratio(seconds[0], seconds[1]),
                target: .time(atMost: 0.5)
            ),
            Row(
                what: "the same, the slowest of a hundred",
                ours: Format.time(late),
                peer: "\(Format.time(median)) median",
                ratio: late / median,
                target: .time(atMost: 2)
            ),
        ]
    }

    /// One text to somebody, a durable commit included, beside `age -e` for a public key.
    static func encrypt(hsip: String, age: String, recipient: String, home path: String) throws -> Row {
        let home = try SampleHome(at: path, hsip: hsip)
        try home.startAgent()
        defer { _ = try? home.run(["agent", "stop"]) }
        let seconds = try Rounds.run(
            rounds,
            [
                { try home.run(["encrypt", "bob"], input: path + "/text") },
                { _ = try Child.run(age, ["-e", "-r", recipient], input: path + "/text") },
            ]
        )
        return Row(
            what: "hsip encrypt through the agent, from start to end",
            ours: Format.time(Rounds.median(seconds[0])),
            peer: "\(Format.time(Rounds.median(seconds[1]))) age -e of the same text",
            ratio: Rounds.ratio(seconds[0], seconds[1]),
            target: .time(atMost: 3)
        )
    }

    /// A public key of nobody: the point is where it lies, not whose it is.
    private static let hostKey =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFhmCrDzMGUj9O4hvDOF3Q7UqVx9nqVbBfCdJ6Y2xk3M"
}
