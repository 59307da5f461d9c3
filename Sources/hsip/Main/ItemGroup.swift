internal import ArgumentParser
internal import SecretCommands

/// `hsip item`: what programs keep in the vault by the Secret Service.
struct ItemGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item",
        abstract: "Manage passwords that other programs store in the vault.",
        discussion: """
            Programs that use the desktop keyring keep their passwords as items: a label, attributes and a \
            value. Your own secrets are in hsip secret.

              hsip item list
              hsip item show 3f2a
              hsip item import --from keyring
            """,
        subcommands: SecretFeature.items + [ItemImportCommand.self, ItemExportCommand.self]
    )
}
