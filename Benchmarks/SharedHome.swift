internal import HSIP
internal import VaultCrypto
internal import VaultKit

/// A home whose vault several machines share over a git repository, and an agent that has it open.
final class SharedHome {
    /// How many records and machines there are.
    let text: String
    /// The repository.
    let remote: String
    /// The records as `hsip vault import` reads them.
    let table: String
    private let home: SampleHome
    private var added = 0

    /// Makes the vault and its log; the other machines are keys that nobody uses.
    init(_ records: Int, _ machines: Int, hsip: String, git: String, in folder: String) async throws {
        text = "\(records) records, \(machines) machines"
        home = try AgentProgramRows.home(of: records, hsip: hsip, in: "\(folder)/\(records)-\(machines)")
        table = home.path + "/table.csv"
        remote = home.path + "/vault.git"
        _ = try Child.run(git, ["init", "--quiet", "--bare", remote])
        try Scratch.write(Array("a password".utf8), to: home.path + "/value")
        try home.run(["--no-agent", "setup", "sync", "git", remote, "--name", "machine 1"])
        let vault = try home.open()
        for number in 2...machines {
            let (seed, box) = (Secret(try Entropy.system.secret(32)), Secret(try Entropy.system.secret(32)))
            let unsigned = try JoinCode.unsigned(
                issued: Vault.systemClock(),
                signKey: try Signing.publicKey(seed: seed),
                boxKey: try KeyAgreement.publicKey(of: box),
                name: "machine \(number)"
            )
            let join = try JoinCode(unsigned: unsigned, seed: seed)
            try await vault.admit(join.bytes, join.number().text)
            try home.run(["sync"])
        }
    }

    /// Ends the agent.
    func end() { _ = try? home.run(["agent", "stop"]) }

    /// Makes a secret and sends it; the seconds that sending took.
    func sendChange() throws -> Double {
        added += 1
        try home.run(["secret", "set", "new \(added)"], input: home.path + "/value")
        return try sync(sends: 1)
    }

    /// The seconds that `hsip sync` took.
    func sync(sends count: Int) throws -> Double {
        let file = home.path + "/synced"
        let seconds = try home.run(["sync", "--json"], output: file).seconds
        guard Scratch.number(after: "\"sent\":", in: try Scratch.read(file)) == count else {
            throw BenchmarkError.missingRecord
        }
        return seconds
    }

    /// Adds a machine that shows this code.
    func admit(_ join: (code: String, number: String)) throws -> (code: String, number: String) {
        try home.shown(["--no-agent", "accept", join.code, "--expect", join.number])
    }
}

extension SampleHome {
    /// The code for another machine that a command shows, and its digits.
    func shown(_ words: [String]) throws -> (code: String, number: String) {
        let file = path + "/shown"
        try run(words + ["--json"], output: file)
        let text = String(decoding: try Scratch.read(file), as: UTF8.self)
        func value(_ name: String) throws -> String {
            guard let start = text.firstRange(of: "\"\(name)\":")?.upperBound else {
                throw BenchmarkError.usage
            }
            return String(text[start...].drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" })
        }
        return (try value("code"), try value("number"))
    }
}
