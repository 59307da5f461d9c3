package import AgentProtocol
package import Presentation
package import System

/// The units by which a user's systemd starts the agent of a vault, and holds its sockets.
package struct ServiceUnits {
    package static let heading = "# Made by hsip setup systemd"

    /// `hsip-agent`, or `hsip-agent-NAME` for another vault than the usual one.
    package let name: String
    private let vault: String
    private let program: String
    private let folder: String
    private let storesAdded: Bool

    /// - Parameters:
    ///   - vault: The name of the vault.
    ///   - program: The path of hsip-agent.
    ///   - paths: Where the sockets are.
    ///   - runtime: `$XDG_RUNTIME_DIR`, which systemd calls `%t`.
    ///   - storesAdded: Whether keys that ssh-add brings go into the vault.
    /// - Throws: `unavailable` for a vault or a program that cannot be named in a unit.
    package init(
        vault: String,
        program: String,
        paths: AgentPaths,
        runtime: String?,
        storesAdded: Bool = false
    ) throws(Failure) {
        guard UnitText.isPlain(vault) else {
            throw Self.refusal("the vault's name cannot be written into a systemd unit")
        }
        guard let runtime, runtime.hasPrefix("/"), paths.folder.hasPrefix(runtime + "/") else {
            throw Self.refusal("$XDG_RUNTIME_DIR is not set, so systemd does not run for this login")
        }
        guard UnitText.canBeQuoted(program) else {
            throw Self.refusal("the path of hsip-agent has characters with a special meaning for systemd")
        }
        name = vault == "vault" ? "hsip-agent" : "hsip-agent-\(vault)"
        self.vault = vault
        self.program = program
        self.storesAdded = storesAdded
        folder = "%t" + paths.folder.dropFirst(runtime.count)
    }

    /// What the vault is called in a sentence: the usual one has no name there.
    private var shown: String { vault == "vault" ? "the vault" : "the vault \(vault)" }

    /// The sockets' units, which are what is enabled.
    package var sockets: [String] { ["\(name)-control.socket", "\(name)-ssh.socket"] }

    /// Name and text of each unit.
    package var texts: [(name: String, text: String)] {
        [
            ("\(name).service", service), (sockets[0], socket("control")), (sockets[1], socket("ssh")),
        ]
    }

    /// The agent's own unit.
    ///
    /// It has no `ProtectSystem`, `ProtectHome` or `Private…`: inside such a name space the agent could not see
    /// which program asks it. What it must not do it gives up by itself, too; for that the filter of calls lets
    /// `seccomp` through, which `@system-service` leaves out. What it starts to ask (pinentry) lives under the same.
    private var service: String {
        """
        [Unit]
        Description=HSIP Vault: keeps \(shown) open for ssh and for programs
        Requires=\(sockets.joined(separator: " "))
        After=\(sockets.joined(separator: " "))

        [Service]
        Type=notify
        ExecStart="\(program)" --vault \(vault)\(storesAdded ? " --store-added" : "")
        \(Self.hardening)

        """
    }

    /// What the agent and hsip-secrets may not do: both hold secrets, and talk over local sockets alone.
    static let hardening = """
        NoNewPrivileges=yes
        RestrictAddressFamilies=AF_UNIX
        RestrictNamespaces=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service seccomp
        SystemCallErrorNumber=EPERM
        LockPersonality=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        UMask=0077
        LimitCORE=0
        LimitMEMLOCK=64M
        TimeoutStopSec=15
        """

    private func socket(_ kind: String) -> String {
        """
        [Unit]
        Description=HSIP Vault: \(kind) socket of the agent of \(shown)

        [Socket]
        ListenStream=\(folder)/\(kind).sock
        FileDescriptorName=\(kind)
        SocketMode=0600
        PassCredentials=yes
        DirectoryMode=0700
        Service=\(name).service

        [Install]
        WantedBy=sockets.target

        """
    }

    private static func refusal(_ message: String) -> Failure {
        Failure(.unavailable, message, hint: "hsip agent start")
    }
}

/// The user's systemd.
package struct ServiceControl {
    private let environment: Environment

    package init(_ environment: Environment) { self.environment = environment }

    /// Has it do something; false where it is not there, or refuses.
    package func tell(_ words: [String]) -> Bool {
        output(["--quiet"] + words, keepsOutput: false) != nil
    }

    /// Properties of a unit by their names; nil where systemd does not answer.
    package func show(_ properties: [String], of unit: String) -> [String: String]? {
        let words = ["show", "--property=\(properties.joined(separator: ","))", "--", unit]
        guard let output = output(words, keepsOutput: true) else { return nil }
        var found: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
        }
        return found
    }

    /// What it says; nil where it is not there, or refuses.
    private func output(_ words: [String], keepsOutput: Bool) -> String? {
        guard let tool = ChildProcess.find("systemctl", in: environment) else { return nil }
        var process = ChildProcess(path: tool)
        process.arguments = ["--user"] + words
        process.keepsOutput = keepsOutput
        process.seconds = 30
        for name in ["PATH", "HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME"] {
            if let value = environment[name] { process.environment.append("\(name)=\(value)") }
        }
        guard let end = try? process.run(), end.status == 0 else { return nil }
        return String(decoding: end.output, as: UTF8.self)
    }
}
