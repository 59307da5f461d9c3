internal import ArgumentParser
internal import PeopleCommands
internal import SecretCommands

/// `hsip secret`: passwords, tokens, notes and files.
struct SecretGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Save, show, generate and share passwords and secrets.",
        discussion: """
            A secret has a name, a type and fields, such as the password of a login or the text of a note. \
            Values come from a question or stdin, never from the command line. hsip keeps the last ten \
            versions.

              hsip secret set db/prod
              hsip secret get db/prod
              hsip secret list --expiring 30d
            """,
        subcommands: SecretFeature.secrets + PeopleFeature.gifts
    )
}
