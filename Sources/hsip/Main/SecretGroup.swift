internal import ArgumentParser
internal import PeopleCommands
internal import SecretCommands

/// `hsip secret`: passwords, tokens, notes and files.
struct SecretGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Save, show, generate and share passwords and secrets.",
        subcommands: SecretFeature.secrets + PeopleFeature.gifts
    )
}
