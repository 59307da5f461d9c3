internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import VaultKit

/// `hsip ssh host`: the machines and their keys.
struct SSHHostGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Manage SSH hosts: addresses, logins and host keys.",
        discussion: """
            A host is the name of a profile, or HOST[:PORT] for one without a profile.

              hsip ssh host trust db1
            """,
        subcommands: [
            SSHHostList.self, SSHHostShow.self, SSHHostAdd.self, SSHHostSet.self, SSHHostTrust.self,
            SSHHostReplaceKey.self, SSHHostRevoke.self, SSHHostRemove.self, SSHHostRestore.self,
            SSHHostImport.self, SSHHostExport.self, SSHHostProbe.self, SSHHostDefault.self,
        ]
    )
}

/// `hsip ssh host default [NAME]`.
struct SSHHostDefault: Command {
    static let path = "ssh host default"
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "Show, set or clear the default host.",
        discussion: """
              hsip ssh host default
              hsip ssh host default db1
              hsip ssh host default --none
            """
    )

    @Argument(help: "The host, by name.", completion: .hosts)
    var name: String?

    @Flag(help: "Clear the default host.")
    var none = false

    func run(_ context: Context) async throws {
        guard name == nil || !none else {
            throw Failure.usage("a name and --none exclude each other")
        }
        let vault = try await context.openVault()
        if let name {
            let host = try await HostNames(context, vault).profile(name)
            _ = try await vault(Operations.setDefaultSSHHost, host.name)
        } else if none {
            _ = try await vault(Operations.setDefaultSSHHost, nil)
        }
        let host = try await vault(Operations.defaultSSHHost)?.name
        if let host { try context.output.line(host) }
        if host == nil, !none { context.output.hint("hsip ssh host default NAME") }
        try context.output.succeed(["default": .optional(host)])
    }
}

/// `hsip ssh host set NAME`.
struct SSHHostSet: Command {
    static let path = "ssh host set"
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a host's name, address, or how to log in.",
        discussion: """
            Only the named settings change; an empty value removes a setting.

              hsip ssh host set db1 --port 2222
            """
    )

    @Argument(help: "The host, by name.", completion: .hosts)
    var name: String

    @Option(name: .customLong("name"), help: ArgumentHelp("The new name.", valueName: "name"))
    var newName: String?

    @OptionGroup(title: "The profile")
    var options: ProfileOptions

    func run(_ context: Context) async throws {
        let wanted = try newName.map { try HostNames.new($0) }
        let vault = try await context.openVault()
        let known = try await HostNames(context, vault).profile(name)
        var change = try await options.change(context, vault)
        change.name = wanted
        guard change != HostChange() else {
            throw Failure.usage("name a setting to change", hint: "hsip help ssh host set")
        }
        let rules = await RuleNames(vault, by: .host)
        let host = try await vault(Operations.setSSHHost, known.name, change)
        await rules.tell(known.name, host.name, context)
        try await context.tell(host, vault)
    }
}

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

    @Argument(help: "A profile's name; with --keys also HOST[:PORT].")
    var name: String

    @Flag(help: "Restore the keys that were removed last, not the profile.")
    var keys = false

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let names = HostNames(context, vault)
        guard !keys, !HostWord.isAddress(name) else {
            return try await restoreKeys(of: try await names.target(name, exactly: true), vault, context)
        }
        let word = name.lowercased()
        let isThere = try await vault(Operations.sshHosts, .kept).contains { $0.name == word }
        let known = isThere ? word : try await names.profile(name, inTrash: true).name
        let host = try await vault(Operations.restoreSSHHost, known)
        await context.refreshSSHSettings(vault)
        context.output.say(isThere ? "\(host.name) is not in the trash." : "\(host.name) is back.")
        try context.output.succeed(try await .sshHost(host, vault))
    }

    private func restoreKeys(of target: HostTarget, _ vault: any VaultService, _ context: Context)
        async throws
    {
        let lines = try await context.explaining(target) {
            try await vault(Operations.restoreHostKeys, target.name)
        }
        for line in lines {
            context.output.say("\(target.shown) is known by \(HostKeyCells.words(line.key)) again.")
        }
        try context.output.succeed(
            .trust(target, try await vault(Operations.hostKeys, target.name), added: lines.map(\.key))
        )
    }
}
