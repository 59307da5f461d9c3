internal import ArgumentParser
internal import PeopleCommands
internal import SecretCommands

/// `hsip secret`: passwords, tokens, notes and files.
struct SecretGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Passwords, tokens, notes and files: keep, make, check and use them.",
        discussion: """
            A secret has a name and a type, and fields: the password of a login, the text of a note. The values come \
            from a question or from stdin, never from the command line. The last ten versions are kept.

              hsip secret set db/prod
              hsip secret get db/prod
              hsip secret list --expiring 30d
            """,
        subcommands: SecretFeature.secrets + PeopleFeature.gifts
    )
}
