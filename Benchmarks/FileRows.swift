/// A file of one GiB for a contact, beside `age` and a bare loop of libsodium's secretstream.
enum FileRows {
    private static let size = 1 << 30
    private static let rounds = 3

    /// Both ways, and how much memory it takes.
    ///
    /// - Parameters:
    ///   - hsip: the path of our program.
    ///   - age: the path of `age`.
    ///   - recipient: the public key of `age` that is sealed for.
    ///   - identity: the file with the private key of `age`.
    ///   - folder: gets five files of one GiB.
    /// - Returns: a row for each peer and direction, and one for the memory.
    /// - Throws: what a program or the file system refuses.
    static func measure(
        hsip: String,
        age: String,
        recipient: String,
        identity: String,
        in folder: String
    ) throws -> [Row] {
        let alice = try SampleHome(at: folder + "/alice", hsip: hsip)
        let bob = try SampleHome(at: folder + "/bob", hsip: hsip)
        let plain = folder + "/gibibyte"
        try BareStream.fill(plain, count: size)
        let (ours, theirs, bare) = (plain + ".hsip", plain + ".age", plain + ".bare")
        let stream = BareStream()
        var peak = 0
        let sealing = try Rounds.run(
            rounds,
            [
                { peak = max(peak, try alice.run(["encrypt", "bob", "--file", plain, "--force"]).peak) },
                { _ = try Child.run(age, ["-r", recipient, "-o", theirs, plain]) },
                { try stream.seal(plain, to: bare) },
            ]
        )
        let out = folder + "/opened"
        let opening = try Rounds.run(
            rounds,
            [
                { peak = max(peak, try bob.run(["decrypt", ours, "-o", out, "--force"]).peak) },
                { _ = try Child.run(age, ["-d", "-i", identity, "-o", out, theirs]) },
                { try stream.open(bare, to: out) },
            ]
        )
        return rows("seal 1 GiB for a contact", sealing) + rows("open 1 GiB", opening) + [
            Row(
                what: "peak memory of both, no Argon2",
                ours: Format.mebibytes(peak),
                peer: "-",
                ratio: nil,
                target: .bound("< 40 MB", isMet: peak * 1_024 < 40_000_000)
            )
        ]
    }

    private static func rows(_ what: String, _ seconds: [[Double]]) -> [Row] {
        zip(["age", "secretstream, bare loop"], seconds.dropFirst()).map { name, peer in
            Row(
                what: what,
                ours: Format.time(Rounds.median(seconds[0])),
                peer: "\(Format.time(Rounds.median(peer))) \(name)",
                ratio: Rounds.ratio(peer, seconds[0]),
                target: .speed(atLeast: 0.8)
            )
        }
    }
}
