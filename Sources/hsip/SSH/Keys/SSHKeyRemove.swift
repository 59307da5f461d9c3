internal import ArgumentParser
internal import Console
internal import SSHFormats
internal import VaultKit

/// `hsip ssh key rm NAME`.
struct SSHKeyRemove: Command {
    static let path = "ssh key rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Put a key into the trash, which keeps it for 30 days.",
        discussion: """
              hsip ssh key rm work
            """
    )

    @Argument(help: "The key, by name or fingerprint.", completion: .keys)
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let known = try await KeyNames(context, vault).resolve(name, exactly: true)
        let hosts = try await vault.sshHosts().filter { $0.profile.keyReference == known.name }
        let key = try await vault.removeSSHKey(known.name)
        try context.publish([], gone: [key.name])
        await context.refreshSSHSettings(vault)
        context.output.say("\(key.name) is in the trash: hsip ssh key restore \(ShellWord.quoted(key.name))")
        if !hosts.isEmpty { context.output.warn(Self.warning(key.name, hosts.map(\.name))) }
        try context.output.succeed(try .sshKey(key, context))
    }

    /// Hosts that nobody can log in to by this key any more.
    private static func warning(_ key: String, _ hosts: [String]) -> Warning {
        let shown = hosts.prefix(3).joined(separator: ", ") + (hosts.count > 3 ? " and others" : "")
        let restore = "hsip ssh key restore \(ShellWord.quoted(key))"
        let host = hosts.first.map { ShellWord.quoted($0) } ?? "HOST"
        return Warning(
            "sshKeyOfHosts",
            "\(key) is the key of \(shown)",
            hint: "\(restore)  or give the host another: hsip ssh host set \(host) --key NAME",
            fields: [
                JSONMember("key", .text(key)), JSONMember("hosts", .list(hosts.map { .text($0) })),
            ]
        )
    }
}
