import Glibc
import RecordStore
import SSHFormats
import Support
import System
import VaultCrypto
import VaultKit

@testable import AgentKit

/// An agent that serves ssh on a socket of its own, over a vault in memory; and the tools of OpenSSH beside it.
final class SSHFixture: Sendable {
    struct Outcome: Sendable {
        let status: Int32
        let text: String
    }

    let scratch: StoreScratch
    let store: MemoryStore
    let opened: OpenVault
    let ring = KeyRing()
    let source = TestVaultSource()
    let gate = SSHTestGate()
    let server: SSHServer
    private let stop: Cancellation
    private let clients: SocketServer
    private let listener: Listener

    var vault: Vault { opened.vault }
    var socket: String { listener.path }

    /// Serves an empty vault; `isOpen` says whether it is open from the beginning.
    init(
        isOpen: Bool = true,
        published: [PublicKey] = [],
        storesAdded: Bool = false,
        securityKeys: SecurityKeySigner = SecurityKeySigner(),
        perProcess: Int = SSHServer.maximumPerProcess
    ) throws {
        scratch = try StoreScratch()
        stop = try Cancellation()
        listener = try Listener.bind(path: scratch.path + "/ssh.sock")
        store = MemoryStore(entropy: .system, now: { UInt64(time(nil)) * 1000 })
        opened = OpenVault(store: store, backend: "memory", close: {})
        let server = SSHServer(
            ring: ring,
            source: source,
            gate: gate,
            published: { published },
            storesAdded: storesAdded,
            securityKeys: securityKeys,
            stop: stop
        )
        self.server = server
        clients = SocketServer(
            name: "ssh",
            listener: listener,
            limit: SSHServer.maximumConnections,
            limitPerProcess: perProcess,
            mayConnect: SSHServer.mayConnect
        ) { server.serve($0) }
        if isOpen { ring.open(opened) }
        let (clients, stop) = (clients, stop)
        try OwnThread.start("ssh") { clients.run(until: stop) }
    }

    deinit {
        stop.cancel()
        clients.hangUpAll()
    }

    func path(_ name: String) -> String { scratch.path + "/" + name }

    /// Runs a line of the shell in the folder, with the agent's socket in its environment.
    func run(_ script: String) async -> Outcome {
        let (folder, socket) = (scratch.path, socket)
        return await onOwnThread {
            var process = ChildProcess(path: "/bin/sh")
            process.arguments = ["-c", "cd '\(folder)' && exec 2>&1\n" + script]
            process.environment = [
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=\(folder)", "LC_ALL=C.UTF-8",
                "SSH_AUTH_SOCK=\(socket)",
            ]
            // Only a hang is to end it: beside a thousand other tests ten small programs were seen to take nine minutes.
            process.seconds = 3_000
            guard let (status, output) = try? process.run() else { return Outcome(status: -1, text: "") }
            return Outcome(status: status, text: String(decoding: output, as: UTF8.self))
        } while: {
        }
    }

    /// A connection of our own.
    func connect() throws -> SSHClient { try SSHClient(path: socket) }

    /// A key that the vault makes.
    @discardableResult
    func makeKey(
        _ name: String,
        _ kind: KeyKind = .ed25519,
        use: KeyUse = KeyUse()
    ) async throws -> KeySummary {
        try await vault.generateSSHKey(kind, named: name, comment: Array(name.utf8), use: use)
    }
}
