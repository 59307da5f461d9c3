internal import ArgumentParser
internal import PeopleCommands
internal import SecretCommands
internal import SSHCommands

/// The grammar: `hsip VERB` for people and messages, `hsip NOUN VERB` for the rest.
struct Hsip: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hsip",
        abstract: "Keep the keys to your conversations and servers, and your passwords, in one vault.",
        discussion: """
            With people: pair shows my code, accept takes yours. First meeting, renewal at 1000 messages, a lost \
            phone, the end: always these two. verify is for when the two of you can see or hear each other.

              hsip init                     make a vault and an identity
              hsip unlock                   open it once, for all of these and for ssh
              hsip pair                     show my code to someone
              hsip accept                   take their code, show mine if one is due
              hsip verify bob               compare, once, that nobody is in between
              echo hi | hsip encrypt bob    one text in, one message out
              hsip decrypt < chat.txt       open what is for me
              hsip secret set mail          keep a password; hsip secret get mail
              hsip ssh key import ~/.ssh    keep keys, and log in with them: hsip setup ssh

            Everywhere, before or after the command: --vault NAME|PATH, --json, -q/--quiet, -v/--verbose, \
            -y/--yes, --no-input, --no-agent, --color auto|always|never, --passphrase-file FILE, --passphrase-fd N.
            """,
        subcommands: subcommands
    )

    /// In the order of the help.
    private static var subcommands: [any ParsableCommand.Type] {
        var all: [any ParsableCommand.Type] = [
            Overview.self, Init.self, UnlockCommand.self, LockCommand.self,
        ]
        all += PeopleFeature.verbs
        all += SecretFeature.commands
        all += [Status.self, Doctor.self]
        all += PeopleFeature.nouns
        all += [VaultGroup.self]
        all += SSHFeature.commands
        all += [AgentGroup.self, AuditGroup.self, SetupGroup.self, ConfigCommand.self]
        all += PeopleFeature.codes
        return all + [CompletionCommand.self, CompleteCommand.self, VersionCommand.self]
    }
}
