internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

/// SSH keys: opening a key file, and many keys in a vault.
enum SSHKeyRows {
    private static let rounds = 11
    private static let count = 1_000
    private static let passphrase = "correct horse battery staple"

    static func measure(hsip: String, sshKeygen: String, in folder: String) async throws -> [Row] {
        try Scratch.makeFolder(folder + "/keys")
        return [try opening(sshKeygen, folder + "/keys")]
            + (try await lists(hsip, sshKeygen, folder + "/keys"))
    }

    /// A file that `ssh-keygen` wrote with 24 rounds, opened in this process; beside it what the passphrase
    /// costs `ssh-keygen`: the public half of that file, less the same of the same key without a passphrase.
    private static func opening(_ sshKeygen: String, _ folder: String) throws -> Row {
        let (bare, closed) = (folder + "/bare", folder + "/closed")
        _ = try Child.run(sshKeygen, ["-q", "-t", "ed25519", "-C", "", "-N", "", "-f", bare])
        try Scratch.write(try Scratch.read(bare), to: closed)
        _ = try Child.run(sshKeygen, ["-q", "-p", "-a", "24", "-P", "", "-N", passphrase, "-f", closed])
        let file = try OpenSSHKeyFile(text: Secret(copying: try Scratch.read(closed)))
        guard file.rounds == 24 else { throw BenchmarkError.usage }
        let secret = Secret(try SecretBytes(copying: Array(passphrase.utf8)))
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            ours.append(try Rounds.processorSeconds { _ = try file.open(passphrase: secret) })
            let whole = try Child.run(sshKeygen, ["-y", "-P", passphrase, "-f", closed]).processor
            theirs.append(whole - (try Child.run(sshKeygen, ["-y", "-P", "", "-f", bare]).processor))
        }
        return Row(
            what: "open a key file of 24 rounds (processor time)",
            ours: Format.time(Rounds.median(ours)),
            peer: "\(Format.time(Rounds.median(theirs))) ssh-keygen -y, less without passphrase",
            ratio: Rounds.ratio(ours, theirs),
            target: .time(atMost: 1.5)
        )
    }

    /// A folder of key files taken into a vault, then the list: in an open vault, and by the whole program.
    private static func lists(
        _ hsip: String,
        _ sshKeygen: String,
        _ folder: String
    ) async throws -> [Row] {
        let home = try SampleHome(folder + "/home", hsip: hsip)
        let lines = try fill(folder + "/files")
        try Scratch.write(lines, to: folder + "/public")
        let importing = try home.run(["--yes", "ssh", "key", "import", folder + "/files"])
        let vault = try home.open()
        var list: [Double] = []
        for _ in 0...rounds {
            list.append(
                try await Rounds.processorSeconds {
                    guard try await vault.sshKeys().count == count else { throw BenchmarkError.missingRecord }
                }
            )
        }
        let runs = try Rounds.programs(
            rounds,
            [
                { try home.run(["ssh", "key", "list"]) },
                { try Child.run(sshKeygen, ["-l", "-f", folder + "/public"]) },
            ]
        )
        let median = Rounds.median(Array(list.dropFirst()))
        return [
            Row(
                what: "hsip ssh key import of \(count) files",
                ours: Format.time(importing.seconds),
                peer: "-",
                ratio: nil,
                target: .none
            ),
            Row(
                what: "list of \(count) SSH keys in an open vault (processor time)",
                ours: Format.time(median),
                peer: "-",
                ratio: nil,
                target: .bound("< 50 ms", isMet: median < 0.05)
            ),
            Row(
                what: "hsip ssh key list of \(count), from start to end",
                ours: runs[0].text,
                peer: "\(runs[1].text) ssh-keygen -l of as many lines",
                ratio: runs[0].ratio(to: runs[1]),
                target: .none
            ),
        ]
    }

    /// Writes as many new key files; their public halves, a line each.
    private static func fill(_ folder: String) throws -> [UInt8] {
        try Scratch.makeFolder(folder)
        var lines: [UInt8] = []
        for number in 0..<count {
            let comment = Array("somebody@machine-\(number)".utf8)
            let key =
                number.isMultiple(of: 2)
                ? try PrivateKey.ed25519(comment: comment, entropy: .system)
                : try PrivateKey.ecdsa(.p256, comment: comment, entropy: .system)
            let file = try OpenSSHKeyFile(key, passphrase: nil, entropy: .system)
            try Scratch.write(try file.text().withBytes { $0.copied() }, to: "\(folder)/machine-\(number)")
            lines += key.publicKey.line + [0x0A]
        }
        return lines
    }
}
