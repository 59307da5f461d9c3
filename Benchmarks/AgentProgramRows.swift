/// The whole program with an agent that is open, beside others that do as much.
enum AgentProgramRows {
    private static let records = 10_000
    private static let reads = 200
    private static let rounds = 60

    /// One secret of many, beside the same of ten and `secret-tool lookup`; run it where a keyring is open.
    static func read(
        hsip: String,
        secretTool: String,
        pass: String?,
        in folder: String
    ) throws -> [Row] {
        let many = try home(of: records, hsip: hsip, in: folder + "/many")
        defer { _ = try? many.run(["agent", "stop"]) }
        let few = try home(of: 10, hsip: hsip, in: folder + "/few")
        defer { _ = try? few.run(["agent", "stop"]) }
        let lookup = ["lookup", "name", "hsip-benchmark"]
        let seconds = try Rounds.run(
            reads,
            [
                { try many.run(["secret", "get", "site 7"]) },
                { try few.run(["secret", "get", "site 7"]) },
                { _ = try Child.run(secretTool, lookup, inherits: true) },
            ]
        )
        var rows: [Row] = []
        if let pass {
            // A tenth of the rounds: gpg starts anew each time.
            let pairs = try Rounds.run(
                reads / 10,
                [
                    { try many.run(["secret", "get", "site 7"]) },
                    { _ = try Child.run(pass, ["show", "benchmark"], inherits: true) },
                ]
            )
            rows.append(
                Row(
                    what: "the same, beside pass",
                    ours: Format.time(Rounds.median(pairs[0])),
                    peer: "\(Format.time(Rounds.median(pairs[1]))) pass show",
                    ratio: Rounds.ratio(pairs[0], pairs[1]),
                    target: .none
                )
            )
        }
        let (median, late) = (Rounds.median(seconds[0]), seconds[0].sorted()[reads * 99 / 100])
        return [
            Row(
                what: "hsip secret get, one of \(records) through the agent",
                ours: Format.time(median),
                peer: "\(Format.time(Rounds.median(seconds[2]))) secret-tool lookup",
                ratio: Rounds.ratio(seconds[0], seconds[2]),
                target: .time(atMost: 0.4)
            ),
            Row(
                what: "the same, the slowest of a hundred",
                ours: Format.time(late),
                peer: "\(Format.time(median)) median",
                ratio: late / median,
                target: .time(atMost: 2)
            ),
            Row(
                what: "the same, beside one of 10",
                ours: Format.time(median),
                peer: "\(Format.time(Rounds.median(seconds[1]))) of 10",
                ratio: Rounds.ratio(seconds[0], seconds[1]),
                target: .time(atMost: 1.1)
            ),
        ] + rows
    }

    /// A home with so many secrets, of which one may be read unasked, and an agent that has it open.
    static func home(of count: Int, hsip: String, in folder: String) throws -> SampleHome {
        let home = try SampleHome(folder, hsip: hsip)
        var table = "name,url,username,password,note\n"
        for number in 1...count {
            table += "site \(number),https://site-\(number).example.org,user-\(number),password \(number),\n"
        }
        try Scratch.write(Array(table.utf8), to: folder + "/table.csv")
        try home.run(["--yes", "vault", "import", folder + "/table.csv"])
        try home.run([
            "--yes", "agent", "rule", "add", "benchmark", "allow", "--kind", "read", "--subject", "site 7",
        ])
        try home.startAgent()
        return home
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
            target: .time(atMost: 2)
        )
    }
}
