internal import ArgumentParser
internal import Console
internal import SSHFormats
internal import VaultKit

/// `hsip ssh host restore NAME|HOST[:PORT]`.
struct SSHHostRestore: Command {
    static let path = "ssh host restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a profile, or the keys of a host, from the trash.",
        discussion: """
              hsip ssh host restore db1
              hsip ssh host restore --keys db1
            """
    )

    @Argument(help: "The host: a profile's name; with --keys also HOST[:PORT].")
    var name: String

    @Flag(help: "The keys that were last removed, not the profile.")
    var keys = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let names = HostNames(context, vault)
        guard !keys, !HostWord.isAddress(name) else {
            return try await restoreKeys(of: try await names.target(name, exactly: true), vault, context)
        }
        let word = name.lowercased()
        let isThere = try await vault.sshHosts().contains { $0.name == word }
        let known = isThere ? word : try await names.profile(name, inTrash: true).name
        let host = try await vault.restoreSSHHost(known)
        await context.refreshSSHSettings(vault)
        if !isThere { context.output.say("\(host.name) is back.") }
        try context.output.succeed(try await .sshHost(host, vault))
    }

    private func restoreKeys(of target: HostTarget, _ vault: any VaultService, _ context: Context)
        async throws
    {
        let lines = try await context.explaining(target) { try await vault.restoreHostKeys(for: target.name) }
        for line in lines {
            context.output.say("\(target.shown) is known by \(HostKeyCells.words(line.key)) again.")
        }
        try context.output.succeed(
            .trust(target, try await vault.hostKeys(for: target.name), added: lines.map(\.key))
        )
    }
}
