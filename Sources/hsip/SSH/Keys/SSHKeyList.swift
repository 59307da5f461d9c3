internal import ArgumentParser
internal import Console
internal import VaultKit
internal import VaultLifecycle

/// `hsip ssh key list`.
struct SSHKeyList: Command {
    static let path = "ssh key list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "The keys in the vault.",
        discussion: """
              hsip ssh key list
              hsip ssh key list --trash
            """
    )

    @Flag(help: "Those that were removed.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let keys = try await vault.sshKeys(inTrash: trash)
        PublicKeyFiles(try context.place()).complete(keys)
        var table = Table([
            Column("key"), Column("type", .left, .whole, spare: 2),
            Column("fingerprint", .left, .whole, spare: 3),
            Column("state", .left, .whole), Column("use", .left, .wrapped, spare: 1),
            Column("comment", spare: 4),
        ])
        for key in keys {
            table.add([
                Cell(key.name), KeyCells.type(key), Cell(key.fingerprint), KeyCells.state(key),
                Cell(KeyCells.use(key.use)), KeyCells.comment(key, context.output.display),
            ])
        }
        try context.output.table(table)
        try await context.tellDamage(vault)
        if keys.isEmpty, !trash {
            context.output.hint("hsip ssh key import ~/.ssh  or  hsip ssh key generate NAME")
        }
        CertificateTime.warn(keys, context)
        try context.output.succeed(try .sshKeys(keys, context))
    }
}
