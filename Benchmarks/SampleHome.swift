internal import FileStore
internal import RecordStore
internal import VaultCrypto
internal import VaultKit

/// Somebody's home with a vault file, as `hsip init` makes it.
///
/// It is opened by its recovery code, for which there is no Argon2, here and by the program alike.
struct SampleHome {
    /// The home.
    let path: String
    private let hsip: String
    /// What leads a program to it.
    let variables: [String: String]

    /// A home that has a vault.
    init(at path: String, hsip: String) throws {
        self.path = path
        self.hsip = hsip
        variables = [
            "HOME": path, "XDG_DATA_HOME": path + "/data", "XDG_STATE_HOME": path + "/state",
            "XDG_CONFIG_HOME": path + "/config", "XDG_RUNTIME_DIR": path + "/run", "LANG": "C.UTF-8",
        ]
    }

    /// Makes the home and the vault.
    init(_ path: String, hsip: String) throws {
        try self.init(at: path, hsip: hsip)
        try Scratch.makeFolder(path)
        try Scratch.makeFolder(path + "/run")
        let passphrase = Hex.encode(Entropy.system.bytes(16))
        try Scratch.write(Array((passphrase + "\n").utf8), to: path + "/passphrase")
        _ = try run(["init", "--name", "somebody", "-o", path + "/recovery"], opening: "passphrase")
    }

    /// Runs the program; what it prints goes to a file, or nowhere.
    @discardableResult
    func run(
        _ words: [String],
        opening secret: String = "recovery",
        input: String = "/dev/null",
        output: String = "/dev/null"
    ) throws -> Child.Run {
        try Child.run(
            hsip,
            ["--no-input", "--passphrase-file", "\(path)/\(secret)"] + words,
            environment: variables.map { "\($0)=\($1)" },
            input: input,
            output: output
        )
    }

    /// Starts an agent for the vault and opens it; from now on the program asks the agent.
    func startAgent() throws {
        try run(["agent", "start"])
        try run(["unlock"])
    }

    /// The resident memory of the agent in KiB.
    func agentMemory() throws -> Int {
        try run(["agent", "status", "--json"], output: path + "/status")
        let number = Scratch.number(after: "\"pid\":", in: try Scratch.read(path + "/status"))
        guard let number else { throw BenchmarkError.usage }
        return try Scratch.residentMemory(of: number)
    }

    /// Opens the vault in this process.
    func open() throws -> Vault {
        let text = try Scratch.read(path + "/recovery").filter { $0 != 0x0A }
        guard let paths = VaultPaths.standard(environment: variables) else { throw BenchmarkError.usage }
        return Vault(
            store: try FileStore.open(
                at: paths,
                unlock: .recovery(Secret(try RecoveryText.decode(text))),
                entropy: .system,
                now: { 1_800_000_000_000 }
            )
        )
    }
}
