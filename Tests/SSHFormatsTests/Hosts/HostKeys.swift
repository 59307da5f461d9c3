import SSHFormats

/// Host keys of several types, and a certificate of one of them, made once by ssh-keygen for all tests.
final class HostKeys: Sendable {
    static let shared = Result { try HostKeys() }

    /// Three Ed25519 keys, an ECDSA and an RSA key, with the names of their files.
    let keys: [(file: String, key: PublicKey)]
    /// The folder that holds them.
    let ssh: OpenSSH

    private init() throws {
        let ssh = try OpenSSH()
        self.ssh = ssh
        let kinds: [(String, KeyKind)] = [
            ("one", .ed25519), ("two", .ed25519), ("three", .ed25519), ("curve", .ecdsa256),
            ("rsa", .rsa2048),
        ]
        for (name, kind) in kinds { try ssh.makeKey(name, type: kind.arguments, comment: name) }
        keys = try kinds.map { ($0.0, try PublicKey(line: try ssh.read($0.0 + ".pub"))) }
    }

    subscript(_ index: Int) -> PublicKey { keys[index % keys.count].key }

    /// A certificate of key `of` by the key `by`, for some hosts; its file is `name-cert.pub`.
    func certificate(
        _ name: String,
        of key: Int,
        by authority: Int,
        hosts: [String],
        more: [String] = ["-V", "always:forever"]
    ) throws -> PublicKey {
        try ssh.write(try ssh.read(keys[key].file), to: name)
        try ssh.write(try ssh.read(keys[key].file + ".pub"), to: name + ".pub")
        let names = hosts.isEmpty ? [] : ["-n", hosts.joined(separator: ",")]
        let arguments = ["-q", "-s", keys[authority].file, "-I", "id", "-h"] + names + more
        try ssh.keygen(arguments + [name + ".pub"])
        return try PublicKey(line: try ssh.read(name + "-cert.pub"))
    }
}
