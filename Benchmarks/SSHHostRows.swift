internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

/// What ssh waits for when it asks for the keys of a host.
enum SSHHostRows {
    private static let sizes = [100, 1_000, 5_000]
    private static let rounds = 60

    /// The program that ssh runs, beside `ssh-keygen -F` for the same host in the same file, at several sizes.
    static func measure(hsip: String, sshKeygen: String, in folder: String) async throws -> [Row] {
        var samples: [Sample] = []
        for size in sizes {
            samples.append(try await Sample(size, hsip: hsip, in: "\(folder)/hosts-\(size)"))
        }
        for sample in samples { try sample.check(sshKeygen) }
        let runs = try Rounds.programs(
            rounds,
            samples.map { sample in { try sample.ask() } }
                + samples.map { sample in { try sample.search(sshKeygen) } }
        )
        var rows = sizes.indices.map { index in
            let (ours, theirs) = (runs[index], runs[index + sizes.count])
            return Row(
                what: "hsip ssh known-hosts among \(sizes[index])",
                ours: ours.text,
                peer: "\(theirs.text) ssh-keygen -F",
                ratio: ours.ratio(to: theirs),
                target: index == sizes.count - 1 ? .time(atMost: 1.1) : .none
            )
        }
        let last = sizes.count - 1
        rows.append(
            Row(
                what: "hsip ssh known-hosts, most over fewest hosts",
                ours: runs[last].text,
                peer: "\(runs[0].text) among \(sizes[0])",
                ratio: runs[last].ratio(to: runs[0]),
                target: .time(atMost: 1.2)
            )
        )
        return rows
    }
}

/// As many hosts in a known_hosts file and in a vault.
private struct Sample {
    private let home: SampleHome
    private let file: String
    private let line: [UInt8]
    private let name: String
    private let key: PublicKey

    init(_ count: Int, hsip: String, in folder: String) async throws {
        home = try SampleHome(folder, hsip: hsip)
        file = folder + "/known_hosts"
        var text: [UInt8] = []
        var asked: (name: String, key: PublicKey, line: [UInt8])?
        for number in 0..<count {
            let name = "host-\(number).example.com"
            let key = try PrivateKey.ed25519(entropy: .system).publicKey
            let line = Array("\(name) ".utf8) + key.typeAndBase64
            // Not the first one: ssh-keygen reads all lines anyway.
            if number == count / 2 { asked = (name, key, line) }
            text += line + [0x0A]
        }
        guard let asked else { throw BenchmarkError.usage }
        (name, key, line) = asked
        try Scratch.write(text, to: file)
        _ = try await home.open().importKnownHosts(KnownHostsFile(text))
    }

    /// What ssh asks when a host has offered its key.
    func ask(output: String = "/dev/null") throws -> Child.Run {
        let key = String(decoding: key.typeAndBase64, as: UTF8.self).split(separator: " ")
        return try home.run(
            [
                "ssh", "known-hosts", "--for", "HOSTNAME", "--host", name, "--port", "22", "--alias", name,
                "--type", String(key[0]), "--key", String(key[1]),
            ],
            output: output
        )
    }

    func search(_ sshKeygen: String, output: String = "/dev/null") throws -> Child.Run {
        try Child.run(sshKeygen, ["-F", name, "-f", file], output: output)
    }

    /// Both must give the line of the host.
    func check(_ sshKeygen: String) throws {
        _ = try ask(output: file + "-ours")
        _ = try search(sshKeygen, output: file + "-theirs")
        for end in ["-ours", "-theirs"] {
            guard try Scratch.read(file + end).split(separator: 0x0A).contains(line[...]) else {
                throw BenchmarkError.missingRecord
            }
        }
    }
}
