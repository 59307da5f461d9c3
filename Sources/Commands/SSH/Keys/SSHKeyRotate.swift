internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import VaultKit

/// `hsip ssh key rotate NAME`.
struct SSHKeyRotate: Command {
    static let path = "ssh key rotate"
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace a key by a new one; keep the old one as retired.",
        discussion: """
            The new key gets the name, comment and limits of the old key. You can export the old key, \
            under the name that hsip prints, until you remove it. Add the new key to the servers that know \
            the old one.

              hsip ssh key rotate work
            """
    )

    @Argument(help: "The key, by name or fingerprint.", completion: .keys)
    var name: String

    @Option(help: ArgumentHelp("The new key's type: ed25519, ecdsa or rsa.", valueName: "type"))
    var type: String?

    @Option(help: ArgumentHelp("With --type: the new key's size in bits.", valueName: "number"))
    var bits: Int?

    func run(_ context: Context) async throws {
        guard type != nil || bits == nil else {
            throw Failure.usage("--bits needs --type")
        }
        let kind = try type.map { try TypeOption.kind($0, bits: bits) }
        let vault = try await context.openVault()
        let known = try await KeyNames(context, vault).resolve(name, exactly: true)
        guard known.isInUse else {
            var failure = Failure(VaultError.ssh(.keyNotInUse))
            failure.hint = "hsip ssh key show \(ShellWord.quoted(known.name))"
            throw failure
        }
        guard !known.algorithm.isSecurityKey else { throw Failure(VaultError.ssh(.keyInHardware)) }
        let (new, old) = try await vault.rotateSSHKey(known.name, to: kind)
        try context.publish([new, old])
        try await context.publishCertificates(of: [old], from: vault)
        await context.refreshSSHSettings(vault)
        if let line = new.line { try context.output.data(line.oneLine) }
        context.output.say("The old key is kept as \(old.name).")
        try context.output.succeed([
            "new": try .sshKey(new, context), "old": try .sshKey(old, context),
        ])
    }
}
