internal import VaultKit

/// Thousands of passwords of another program into a vault, and one of them out again.
enum ImportRows {
    private static let count = 10_000
    private static let longest = 3.0

    /// `hsip vault import` of a table, a process from its start to its end: read, made, sealed, committed, read back.
    ///
    /// The vault is opened by its recovery code, so there is no derivation of a key in it.
    static func measure(hsip: String, in folder: String) throws -> [Row] {
        try Scratch.makeFolder(folder + "/import")
        let home = try SampleHome(folder + "/import/home", hsip: hsip)
        var table = "name,url,username,password,note\n"
        for number in 1...count {
            table += "site \(number),https://site-\(number).example.org/login,user-\(number)@example.org,"
            table += "password \(number) of some length,\"a note, of \(number)\"\n"
        }
        let file = folder + "/import/table.csv"
        try Scratch.write(Array(table.utf8), to: file)
        let trial = try home.run(["vault", "import", file, "--dry-run"])
        let run = try home.run(["--yes", "vault", "import", file])
        return [
            Row(
                what: "hsip vault import of \(count)",
                ours: Format.time(run.seconds),
                peer: "\(Format.time(trial.seconds)) with --dry-run",
                ratio: run.seconds / longest,
                target: .time(atMost: 1)
            )
        ]
    }
}
