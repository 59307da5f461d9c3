internal import ArgumentParser
internal import CommandKit
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
              hsip verify bob               compare, once, that no one is in between
              echo hi | hsip encrypt bob    one text in, one message out
              hsip decrypt < chat.txt       open what is for me
              hsip secret set mail          keep a password; hsip secret get mail
              hsip ssh key import ~/.ssh    keep keys, and log in with them: hsip setup ssh

            Everywhere, before or after the command: --vault NAME|PATH, --json, -q/--quiet, -v/--verbose, \
            -y/--yes, --no-input, --no-agent, --color auto|always|never, --passphrase-file FILE, --passphrase-fd N, \
            --shares. With secret get, secret list and vault export: --old-copy, to read an older copy that --vault names.
            """,
        subcommands: subcommands
    )

    /// In the order of the help.
    private static var subcommands: [any ParsableCommand.Type] {
        var all: [any ParsableCommand.Type] = [
            Overview.self, Init.self, UnlockCommand.self, LockCommand.self,
        ]
        all += PeopleFeature.verbs
        all += SecretFeature.users + [SecretGroup.self, ItemGroup.self] + SecretFeature.helpers
        all += [Status.self, Doctor.self]
        all += PeopleFeature.nouns
        all += [VaultGroup.self]
        all += SSHFeature.commands
        all += [AgentGroup.self, AuditGroup.self, SetupGroup.self, ConfigCommand.self]
        all += PeopleFeature.codes
        return all + [CompletionCommand.self, CompleteCommand.self, VersionCommand.self]
    }
}

extension Hsip {
    /// The command that words ask for, with its arguments.
    ///
    /// The parser makes ready every command there is before it reads the first word, which takes longer than most
    /// commands do. So the everyday forms are read without it. Of the others the words that name a command are
    /// looked up here, and the parser reads the rest for that one alone. Help, and everything that it refuses, is
    /// left to the whole parser, which knows all names.
    static func command(of words: [String]) throws -> any ParsableCommand {
        try named(by: words) ?? parseAsRoot(words)
    }

    /// What an everyday form asks for; nil for everything else.
    static func plainCommand(of words: [String]) -> (any Runnable)? {
        SSHFeature.plainCommand(of: words) ?? PeopleFeature.plainCommand(of: words)
            ?? SecretFeature.plainCommand(of: words)
    }

    private static func named(by words: [String]) -> (any Command)? {
        var type: any ParsableCommand.Type = Hsip.self
        var rest = words[...]
        while let word = rest.first, let next = subcommand(of: type, named: word) {
            type = next
            rest.removeFirst()
        }
        guard type.configuration.subcommands.isEmpty, type is any Command.Type else { return nil }
        return try? type.parseAsRoot(Array(rest)) as? any Command
    }

    private static func subcommand(
        of type: any ParsableCommand.Type,
        named word: String
    ) -> (any ParsableCommand.Type)? {
        let commands = type.configuration.subcommands
        // A name that is made of the type's takes long to make.
        return commands.first { $0.configuration.commandName == word }
            ?? commands.first { $0.configuration.commandName == nil && $0._commandName == word }
    }
}
