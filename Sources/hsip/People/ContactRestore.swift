internal import ArgumentParser
internal import Console
internal import HSIP
internal import SafeText
internal import VaultKit

/// `hsip contact restore NAME`.
struct ContactRestore: Command {
    static let path = "contact restore"
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a contact from the trash; the sessions do not come back.",
        discussion: """
              hsip contact restore bob
            """
    )

    @Argument(help: "The contact.")
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let isThere = try await vault.contacts().contains { $0.alias == name }
        let alias =
            isThere ? name : try await ContactNames(context, vault).resolve(name, inTrash: true).alias
        let reply = try await context.explaining(vault, about: alias) {
            try await vault.restoreContact(alias)
        }
        let now = try await vault.contact(alias)
        if !isThere { context.output.say("\(context.output.display.cell(alias)) is back.") }
        context.output.tell(reply.notices, about: alias)
        if reply.notices.isEmpty {
            context.output.hint("hsip pair \(ShellWord.quoted(alias))  begins a new session")
        }
        try context.output.succeed(.contact(now))
    }
}
