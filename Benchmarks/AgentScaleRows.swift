/// An agent that holds a hundred thousand secrets.
enum AgentScaleRows {
    private static let records = 100_000
    private static let reads = 60

    static func measure(hsip: String, in folder: String) throws -> [Row] {
        let home = try AgentProgramRows.home(of: records, hsip: hsip, in: folder + "/scale-agent")
        defer { _ = try? home.run(["agent", "stop"]) }
        let first = try Rounds.seconds { try home.run(["secret", "get", "site 7"]) }
        let later = try Rounds.run(reads, [{ try home.run(["secret", "get", "site 7"]) }])[0]
        return [
            Row(
                what: "hsip secret get, the first of an agent with \(records)",
                ours: Format.time(first),
                peer: "\(Format.time(Rounds.median(later))) later",
                ratio: first / Rounds.median(later),
                target: .none
            ),
            Row(
                what: "resident memory of the agent with \(records) secrets",
                ours: Format.mebibytes(try home.agentMemory()),
                peer: "-",
                ratio: nil,
                target: .none
            ),
        ]
    }
}
