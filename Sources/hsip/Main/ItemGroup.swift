internal import ArgumentParser
internal import SecretCommands

/// `hsip item`: what programs keep in the vault by the Secret Service.
struct ItemGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item",
        abstract: "What programs keep in the vault: list, read, change, take in and give back.",
        discussion: """
            Programs that use the desktop's keyring keep their passwords as items: a label, attributes and a value. \
            Secrets of your own are in hsip secret.

              hsip item list
              hsip item show 3f2a
              hsip item import --from keyring
            """,
        subcommands: SecretFeature.items + [ItemImportCommand.self, ItemExportCommand.self]
    )
}
