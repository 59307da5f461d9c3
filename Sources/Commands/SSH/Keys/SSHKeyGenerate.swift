internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import VaultKit
internal import VaultLifecycle

/// `hsip ssh key generate NAME`.
struct SSHKeyGenerate: Command {
    static let path = "ssh key generate"
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make an SSH key and print its public half.",
        discussion: """
            The private half stays in the vault; ssh and git use it through the agent.

              hsip ssh key generate work
              hsip ssh key generate commits --sign git
            """
    )

    @Argument(help: "The key's name in the vault.")
    var name: String

    @Option(help: ArgumentHelp("ed25519, ecdsa or rsa.", valueName: "type"))
    var type = "ed25519"

    @Option(help: ArgumentHelp("ecdsa: 256, 384, 521; rsa: 3072, 4096.", valueName: "number"))
    var bits: Int?

    @Option(help: ArgumentHelp("The key's comment (default: its name).", valueName: "text"))
    var comment: String?

    @OptionGroup(title: "Limits of use")
    var options: UseOptions

    func run(_ context: Context) async throws {
        let kind = try TypeOption.kind(type, bits: bits)
        let use = try options.use()
        let name = try KeyNames.new(name)
        let text = try KeyComment.checked(comment ?? name)
        let vault = try await context.openVault()
        let key = try await vault(Operations.generateSSHKey, name, kind, text, use)
        try context.publish([key])
        if use.needsConfirmation { await context.warnIfAgentCannotAsk() }
        if let line = key.line { try context.output.data(line.oneLine) }
        context.output.say(
            "\(key.fingerprint)  \(context.path(PublicKeyFiles(try context.place()).path(of: name)).shown)"
        )
        try await hint(vault, context)
        try context.output.succeed(try .sshKey(key, context))
    }

    /// Says how ssh gets the key, if it is the first one; otherwise people would learn it only when ssh fails.
    private func hint(_ vault: any VaultService, _ context: Context) async throws {
        guard try await vault(Operations.sshKeys, .kept).count == 1 else { return }
        context.output.hint("hsip unlock && eval \"$(hsip agent env)\"  lets ssh and git use it")
    }
}

/// `--type` and `--bits`.
enum TypeOption {
    /// The kind of key that the options name.
    ///
    /// - Throws: usage for a kind that hsip does not generate.
    static func kind(_ type: String, bits: Int?) throws(Failure) -> KeyKind {
        switch (type.lowercased(), bits) {
        case ("ed25519", nil): .ed25519
        case ("ecdsa", nil), ("ecdsa", 256): .ecdsa(.p256)
        case ("ecdsa", 384): .ecdsa(.p384)
        case ("ecdsa", 521): .ecdsa(.p521)
        case ("rsa", nil), ("rsa", 3072): .rsa(bits: 3072)
        case ("rsa", 4096): .rsa(bits: 4096)
        default: throw refused(type.lowercased())
        }
    }

    /// The error for an unknown type, or for bits that do not fit the type.
    private static func refused(_ type: String) -> Failure {
        let (message, hint) =
            switch type {
            case "ed25519": ("--bits is not for ed25519 keys", "--type ed25519")
            case "ecdsa": ("an ECDSA key has 256, 384 or 521 bits", "--type ecdsa --bits 256|384|521")
            case "rsa": ("an RSA key has 3072 or 4096 bits", "--type rsa --bits 3072|4096")
            case "dsa": ("hsip makes no DSA keys; OpenSSH dropped DSA", "--type ed25519")
            default: ("--type must be ed25519, ecdsa or rsa", "--type ed25519|ecdsa|rsa")
            }
        return Failure.usage(message, hint: hint)
    }
}
