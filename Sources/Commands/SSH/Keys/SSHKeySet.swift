internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import VaultKit

/// `hsip ssh key set NAME`.
struct SSHKeySet: Command {
    static let path = "ssh key set"
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a key's name, comment or limits of use.",
        discussion: """
              hsip ssh key set work --confirm --lifetime 8h
              hsip ssh key set work --only-for db1 --only-for '[db2]:2222'
            """
    )

    @Argument(help: "The key, by name or fingerprint.", completion: .keys)
    var name: String

    @Option(
        name: .customLong("name"),
        help: ArgumentHelp("The key's new name in the vault.", valueName: "name")
    )
    var newName: String?

    @Option(help: ArgumentHelp("The new comment; an empty comment removes it.", valueName: "text"))
    var comment: String?

    @Flag(
        name: .customLong("drop-expired"),
        help: "Remove certificates that expired or are not signed by a CA."
    )
    var dropsExpired = false

    @OptionGroup(title: "Limits of use")
    var options: UseOptions

    func run(_ context: Context) async throws {
        guard newName != nil || comment != nil || dropsExpired || !options.isEmpty else {
            throw Failure.usage(
                "name a setting to change",
                hint:
                    "--name, --comment, --confirm, --lifetime, --only-for, --sign, --local or --drop-expired"
            )
        }
        var change = KeyChange()
        change.name = try newName.map { try KeyNames.new($0) }
        change.comment = try comment.map { try KeyComment.checked($0) }
        change.needsConfirmation = options.confirm
        change.isLocal = options.local
        change.lifetime = try options.seconds()
        change.hosts = try options.names()
        change.namespaces = try options.namespaces()
        (change.dropsExpired, change.dropsUnsigned) = (dropsExpired, dropsExpired)
        let vault = try await context.openVault()
        let known = try await KeyNames(context, vault).resolve(name)
        let rules = await RuleNames(vault)
        let key = try await vault(Operations.setSSHKey, known.name, change)
        try context.publish([key], gone: key.name == known.name ? [] : [known.name])
        try await context.publishCertificates(of: [key], from: vault)
        await context.refreshSSHSettings(vault)
        await rules.tell(known.name, key.name, context)
        if options.confirm == true { await context.warnIfAgentCannotAsk() }
        try context.output.succeed(try .sshKey(key, context))
    }
}

/// Comments that people type for keys: one line of text.
enum KeyComment {
    private static let longest = 1_000

    /// The bytes of a comment.
    ///
    /// - Throws: `malformed` for line breaks and other control characters.
    static func checked(_ text: String) throws(Failure) -> [UInt8] {
        let isLine = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isLine, text.utf8.count <= longest else {
            throw Failure(
                .malformed,
                "a comment is one line of at most \(longest) bytes",
                hint: "--comment me@example.org"
            )
        }
        return Array(text.utf8)
    }
}
