internal import ArgumentParser
internal import Console
internal import SSHFormats
internal import VaultKit

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

    @Flag(help: "Clear it.")
    var none = false

    func run(_ context: Context) async throws {
        guard name == nil || !none else {
            throw Failure.usage("a name and --none exclude each other")
        }
        let vault = try await context.openVault()
        if let name {
            let host = try await HostNames(context, vault).profile(name)
            try await vault.setDefaultSSHHost(host.name)
        } else if none {
            try await vault.setDefaultSSHHost(nil)
        }
        let host = try await vault.defaultSSHHost()?.name
        if let host { try context.output.line(host) }
        if host == nil, !none { context.output.hint("hsip ssh host default NAME") }
        try context.output.succeed(["default": .optional(host)])
    }
}
