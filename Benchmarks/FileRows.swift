internal import VaultCrypto

/// A file of one GiB for a contact, beside `age` and a bare loop of libsodium's secretstream.
enum FileRows {
    private static let size = 1 << 30
    private static let rounds = 3

    /// Both ways, and how much memory it takes.
    ///
    /// - Parameters:
    ///   - hsip: the path of our program.
    ///   - age: the path of `age`.
    ///   - openssl: the path of `openssl`.
    ///   - recipient: the public key of `age` that is sealed for.
    ///   - identity: the file with the private key of `age`.
    ///   - folder: gets six files of one GiB.
    /// - Returns: a row for each peer and direction, and one for the memory.
    /// - Throws: what a program or the file system refuses.
    static func measure(
        hsip: String,
        age: String,
        openssl: String,
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
        let (cipher, enciphered) = (Cipher(openssl), plain + ".openssl")
        var peak = 0
        let sealing = try Rounds.run(
            rounds,
            [
                { peak = max(peak, try alice.run(["encrypt", "bob", "--file", plain, "--force"]).peak) },
                { _ = try Child.run(age, ["-r", recipient, "-o", theirs, plain]) },
                { try stream.seal(plain, to: bare) },
                { try cipher.run(plain, to: enciphered) },
            ]
        )
        let out = folder + "/opened"
        let opening = try Rounds.run(
            rounds,
            [
                { peak = max(peak, try bob.run(["decrypt", ours, "-o", out, "--force"]).peak) },
                { _ = try Child.run(age, ["-d", "-i", identity, "-o", out, theirs]) },
                { try stream.open(bare, to: out) },
                { try cipher.run(enciphered, to: out) },
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
        let ours = seconds[0]
        let peers: [(String, Row.Target)] = [
            ("age", .speed(atLeast: 1.2)), ("secretstream, bare loop", .speed(atLeast: 0.8)),
            ("openssl chacha20, nothing authenticated", .none),
        ]
        return zip(peers, seconds.dropFirst()).map { peer, seconds in
            Row(
                what: what,
                ours: Format.time(Rounds.median(ours)),
                peer: "\(Format.time(Rounds.median(seconds))) \(peer.0)",
                ratio: Rounds.ratio(seconds, ours),
                target: peer.1
            )
        }
    }

    /// The bare stream cipher of `openssl enc`, the same both ways.
    private struct Cipher {
        let path: String
        let words: [String]

        init(_ path: String) {
            self.path = path
            words = [
                "enc", "-chacha20", "-K", Hex.encode(Entropy.system.bytes(32)), "-iv",
                Hex.encode(Entropy.system.bytes(16)),
            ]
        }

        func run(_ source: String, to target: String) throws {
            _ = try Child.run(path, words + ["-in", source, "-out", target])
        }
    }
}
