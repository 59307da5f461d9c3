internal import ArgumentParser
internal import CommandKit
internal import PeopleCommands
internal import SecretCommands
internal import SSHCommands

/// The grammar: `hsip VERB` for people and messages, `hsip NOUN VERB` for the rest.
struct Hsip: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hsip",
        abstract: "Keep passwords, SSH keys and messages in one vault.",
        subcommands: subcommands
    )

    /// In the order of the help.
    private static var subcommands: [any ParsableCommand.Type] {
        var all: [any ParsableCommand.Type] = [
            Overview.self, Init.self, UnlockCommand.self, LockCommand.self,
        ]
        all += PeopleFeature.verbs
        all += SecretFeature.users + [SecretGroup.self, ItemGroup.self, KeyringGroup.self]
        all += SecretFeature.helpers
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
