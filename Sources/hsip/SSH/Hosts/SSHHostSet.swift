internal import ArgumentParser
internal import Console
internal import SSHFormats
internal import VaultKit

/// `hsip ssh host set NAME`.
struct SSHHostSet: Command {
    static let path = "ssh host set"
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a host's name, address, or how to log in.",
        discussion: """
            Only what is named changes; an empty value removes a setting.

              hsip ssh host set db1 --port 2222
              hsip ssh host set db1 --name db --label "The old database"
              hsip ssh host set db1 --auth password --key ""
            """
    )

    @Argument(help: "The host, by name.", completion: .hosts)
    var name: String

    @Option(name: .customLong("name"), help: ArgumentHelp("A new name.", valueName: "name"))
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
            throw Failure.usage("nothing to change", hint: "hsip help ssh host set")
        }
        let rules = await RuleNames(vault, by: .host)
        let host = try await vault.setSSHHost(known.name, change)
        await rules.tell(known.name, host.name, context)
        try await context.tell(host, vault)
    }
}
