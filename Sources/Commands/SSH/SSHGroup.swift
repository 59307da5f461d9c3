internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import Setup
internal import Text
internal import VaultKit

/// `hsip ssh`: keys and hosts for the installed OpenSSH.
struct SSHGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh",
        abstract: "Manage the keys and hosts that ssh and git use.",
        discussion: """
            Private keys stay in the vault. After unlock, ssh and git use them through the agent.

              hsip unlock
              eval "$(hsip agent env)"
            """,
        subcommands: [
            SSHKeyGroup.self, SSHHostGroup.self, SSHConfig.self, SSHSigningKey.self, SSHSigners.self,
            SSHKnownHosts.self,
        ]
    )
}

/// `hsip ssh config`.
struct SSHConfig: Command {
    static let path = "ssh config"
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print ssh settings for every host in the vault.",
        discussion: """
            hsip setup ssh writes this file and includes it in ~/.ssh/config. If a host cannot be written, \
            hsip warns and leaves it out.

              hsip ssh config
              hsip ssh config --check
            """
    )

    @Flag(help: "Check with ssh that it reads the settings of every host correctly.")
    var check = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let made = try await FragmentMaker(context, vault).make()
        if check {
            let text = Array(made.fragment.text.utf8)
            guard let found = try SSHReading(context.environment).differences(made.fragment, in: text) else {
                throw SSHSetup.ineffective(["ssh refuses the settings"])
            }
            guard found.isEmpty else { throw SSHSetup.ineffective(found) }
            context.output.note(
                "ssh reads the settings of \(Plural.of(made.hosts.count, "host")) correctly"
            )
        } else {
            try context.output.data(Array(made.fragment.text.utf8))
        }
        try context.output.succeed([
            "text": .text(made.fragment.text), "hosts": .texts(made.hosts), "checked": .bool(check),
        ])
    }
}

/// `hsip ssh signing-key`.
struct SSHSigningKey: Command {
    static let path = "ssh signing-key"
    static let configuration = CommandConfiguration(
        commandName: "signing-key",
        abstract: "Print the key that signs git commits, as a key:: line.",
        discussion: """
            Without a name, hsip prints the only key in use that signs in the namespace git. git signs \
            through the agent of the vault.

              git config gpg.format ssh
              git config gpg.ssh.defaultKeyCommand "hsip ssh signing-key"
              hsip unlock && eval "$(hsip agent env)"
            """
    )

    @Argument(help: "The key, by name or fingerprint.", completion: .keys)
    var name: String?

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let key: KeySummary
        if let name {
            key = try await KeyNames(context, vault).resolve(name)
            guard key.isInUse else {
                var failure = Failure(VaultError.ssh(.keyNotInUse))
                failure.hint = "hsip ssh key show \(ShellWord.quoted(key.name))"
                throw failure
            }
            if !key.use.namespaces.contains("git") { context.output.warn(Self.warning(key.name)) }
        } else {
            key = try Self.only(
                try await vault(Operations.sshKeys, .kept).filter {
                    $0.isInUse && $0.use.namespaces.contains("git")
                }
            )
        }
        let line = String(decoding: key.line ?? [], as: UTF8.self)
        try context.output.line("key::\(line)")
        try context.output.succeed(["line": .text("key::\(line)"), "key": try .sshKey(key, context)])
    }

    /// The warning that `hsip ssh signers` leaves out the key for commits.
    private static func warning(_ name: String) -> Warning {
        Warning(
            "keyNotForGit",
            "\(name) does not sign in the namespace git; hsip ssh signers leaves the key out for commits",
            hint: "hsip ssh key set \(ShellWord.quoted(name)) --sign git",
            fields: ["key": .text(name)]
        )
    }

    /// The only key; if there are several, the user must choose.
    private static func only(_ keys: [KeySummary]) throws(Failure) -> KeySummary {
        guard let key = keys.first else {
            throw Failure(
                .unknownSSHKey,
                "no key signs commits yet",
                hint: "hsip ssh key set NAME --sign git"
            )
        }
        guard keys.count == 1 else {
            let shown = keys.prefix(5).map(\.name).joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
            throw Failure(
                .inputNeeded,
                "\(keys.count) keys sign commits: \(shown)",
                hint: "hsip ssh signing-key \(ShellWord.quoted(key.name))"
            )
        }
        return key
    }
}
