/// The program as somebody else starts it.
enum ProgramRows {
    private static let starts = 60
    private static let seals = 5

    /// How long `hsip version` takes, beside `age --version`.
    static func start(hsip: String, age: String) throws -> Row {
        let seconds = try Rounds.run(
            starts,
            [
                { _ = try Child.run(hsip, ["version"]) },
                { _ = try Child.run(age, ["--version"]) },
            ]
        )
        return Row(
            what: "hsip version, from start to end",
            ours: Format.time(Rounds.median(seconds[0])),
            peer: "\(Format.time(Rounds.median(seconds[1]))) age --version",
            ratio: Rounds.median(seconds[0]) / Rounds.median(seconds[1]),
            target: .time(atMost: 0.9)
        )
    }

    /// How much memory `hsip encrypt` needs outside of Argon2: it is unlocked with the recovery code, for
    /// which there is no Argon2, so the peak of the whole process is the number.
    ///
    /// A new process begins with the peak of the one that started it, so this comes before everything that
    /// makes us large.
    static func memory(hsip: String, home: String) throws -> Row {
        var peak = 0
        for _ in 0..<seals {
            let run = try Child.run(
                hsip,
                ["--no-input", "--passphrase-file", "\(home)/recovery", "encrypt", "bob"],
                environment: [
                    "HOME=\(home)", "XDG_DATA_HOME=\(home)/data", "XDG_STATE_HOME=\(home)/state",
                    "XDG_CONFIG_HOME=\(home)/config", "LANG=C.UTF-8",
                ],
                input: "\(home)/text"
            )
            peak = max(peak, run.peak)
        }
        guard peak > Child.ownPeak else { throw BenchmarkError.tooLargeToMeasure }
        return Row(
            what: "peak memory of hsip encrypt, no Argon2",
            ours: Format.mebibytes(peak),
            peer: "-",
            ratio: nil,
            target: .bound("< 40 MB", isMet: peak * 1_024 < 40_000_000)
        )
    }
}
