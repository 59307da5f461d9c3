internal import ArgumentParser
internal import Console
internal import SSHFormats
internal import VaultKit

/// `hsip ssh signing-key`.
struct SSHSigningKey: Command {
    static let path = "ssh signing-key"
    static let configuration = CommandConfiguration(
        commandName: "signing-key",
        abstract: "The key:: line of the key that signs commits, for git.",
        discussion: """
            Without a name it is the one key in use that signs under the namespace git. git signs with it \
            once ssh's agent has it.

              git config gpg.format ssh
              git config gpg.ssh.defaultKeyCommand "hsip ssh signing-key"
              hsip ssh key export work --stdout --no-passphrase --expect work | ssh-add -
            """
    )

    @Argument(help: "The key, by name or fingerprint.")
    var name: String?

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let key: KeySummary
        if let name {
            key = try await KeyNames(context, vault).resolve(name)
            guard key.isInUse else { throw VaultError.ssh(.keyNotInUse) }
        } else {
            key = try Self.only(
                try await vault.sshKeys().filter { $0.isInUse && $0.use.namespaces.contains("git") }
            )
        }
        let line = String(decoding: key.line ?? [], as: UTF8.self)
        try context.output.line("key::\(line)")
        try context.output.succeed(["line": .text("key::\(line)"), "key": try .sshKey(key, context)])
    }

    /// The one key; which of several is for the user to say.
    private static func only(_ keys: [KeySummary]) throws(Failure) -> KeySummary {
        guard let key = keys.first else {
            throw Failure(
                .notFound,
                code: "unknownSSHKey",
                message: "no key signs commits yet",
                hint: "hsip ssh key set NAME --sign git"
            )
        }
        guard keys.count == 1 else {
            throw Failure(
                .inputNeeded,
                code: "inputNeeded",
                message: "\(keys.count) keys sign commits",
                hint: "hsip ssh signing-key NAME"
            )
        }
        return key
    }
}
