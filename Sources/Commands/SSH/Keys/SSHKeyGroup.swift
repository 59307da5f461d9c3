internal import ArgumentParser
internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import VaultKit
internal import VaultLifecycle

/// `hsip ssh key`: the keys.
struct SSHKeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage SSH keys: make, import, export, change, remove.",
        subcommands: [
            SSHKeyList.self, SSHKeyShow.self, SSHKeyGenerate.self, SSHKeyImport.self, SSHKeyExport.self,
            SSHKeySet.self, SSHKeyRotate.self, SSHKeyRemove.self, SSHKeyRestore.self,
        ]
    )
}

/// `hsip ssh key list`.
struct SSHKeyList: Command {
    static let path = "ssh key list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the SSH keys in the vault.",
        discussion: """
              hsip ssh key list
              hsip ssh key list --trash
            """
    )

    @Flag(help: "Show the trash instead.")
    var trash = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let keys = try await vault(Operations.sshKeys, Listing(inTrash: trash))
        PublicKeyFiles(try context.place()).complete(keys)
        let columns = [
            Column("key"), Column("type", .left, .whole, spare: 2),
            Column("fingerprint", .left, .whole, spare: 3), Column("state", .left, .whole),
            Column("use", .left, .wrapped, spare: 1), Column("comment", spare: 4),
        ]
        let rows = keys.map { key in
            [
                Cell(key.name), KeyCells.type(key), Cell(key.fingerprint), KeyCells.state(key),
                Cell(KeyCells.use(key.use)), KeyCells.comment(key, context.output.display),
            ]
        }
        try context.list(
            Table(columns, rows: rows),
            empty: trash ? "no SSH keys in the trash" : "no SSH keys yet",
            hint: trash ? nil : "hsip ssh key import ~/.ssh  or  hsip ssh key generate NAME"
        )
        CertificateTime.warn(keys, context)
        try await context.endShort(vault, of: ["ssh.key"])
        try context.output.succeed(.sshKeys(keys, publishedIn: try context.place().publicKeyFolder))
    }
}

/// `hsip ssh key rm NAME`.
struct SSHKeyRemove: Command {
    static let path = "ssh key rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Move a key to the trash for 30 days.",
        discussion: """
              hsip ssh key rm work
            """
    )

    @Argument(help: "The key, by name or fingerprint.", completion: .keys)
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let known = try await KeyNames(context, vault).resolve(name, exactly: true)
        let hosts = try await vault(Operations.sshHosts, .kept).filter {
            $0.profile.keyReference == known.name
        }
        let key = try await vault(Operations.removeSSHKey, known.name)
        try context.publish([], gone: [key.name])
        await context.refreshSSHSettings(vault)
        context.output.say("\(key.name) is in the trash: hsip ssh key restore \(ShellWord.quoted(key.name))")
        if !hosts.isEmpty { context.output.warn(Self.warning(key.name, hosts.map(\.name))) }
        try context.output.succeed(try .sshKey(key, context))
    }

    /// The warning about hosts that this key no longer logs in to.
    private static func warning(_ key: String, _ hosts: [String]) -> Warning {
        let shown = hosts.prefix(3).joined(separator: ", ") + (hosts.count > 3 ? " and others" : "")
        let restore = "hsip ssh key restore \(ShellWord.quoted(key))"
        let host = hosts.first.map { ShellWord.quoted($0) } ?? "HOST"
        return Warning(
            "sshKeyOfHosts",
            "\(key) is the key of \(shown)",
            hint: "\(restore)  or choose another key: hsip ssh host set \(host) --key NAME",
            fields: ["key": .text(key), "hosts": .texts(hosts)]
        )
    }
}

/// `hsip ssh key restore NAME`.
struct SSHKeyRestore: Command {
    static let path = "ssh key restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a key from the trash.",
        discussion: """
              hsip ssh key restore work
            """
    )

    @Argument(help: "The key, by name or fingerprint.")
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let wanted = NameRules.normalized(name)
        let isThere = try await vault(Operations.sshKeys, .kept).contains { $0.name == wanted }
        let known = isThere ? wanted : try await KeyNames(context, vault).resolve(name, inTrash: true).name
        let key = try await vault(Operations.restoreSSHKey, known)
        try context.publish([key])
        try await context.publishCertificates(of: [key], from: vault)
        await context.refreshSSHSettings(vault)
        context.output.say(isThere ? "\(key.name) is not in the trash." : "\(key.name) is back.")
        try context.output.succeed(try .sshKey(key, context))
    }
}
