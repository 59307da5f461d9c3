internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import VaultCrypto

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
        all += [AgentGroup.self, LeaseGroup.self, AuditGroup.self, SetupGroup.self]
        all += PeopleFeature.machines + [MachineGroup.self]
        all += [ConfigCommand.self]
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

/// `hsip secret`: passwords, tokens, notes and files.
struct SecretGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Save, show, generate and share passwords and secrets.",
        subcommands: SecretFeature.secrets + PeopleFeature.gifts
    )
}

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

/// Which program this is, and what it speaks.
struct VersionCommand: Command {
    static let path = "version"
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version; with --verbose also of formats.",
        discussion: """
              hsip version --verbose
            """
    )

    func run(_ context: Context) async throws {
        try context.output.line("hsip \(ProductVersion.text)")
        if context.globals.mode.contains(.verbose) {
            try context.output.line("HSIP-XC1, cipher suite 1, messages 1, vault format 1, JSON 1")
            try context.output.line("libsodium \(LibraryVersion.sodium)")
            try context.output.line("sqlite \(FileStore.engineVersion)")
        }
        try context.output.succeed(
            .version(sqlite: FileStore.engineVersion)
        )
    }
}

/// The words a shell can complete.
///
/// Never unlocks anything, and neither do the scripts: they ask `hsip complete` for names.
struct CompletionCommand: Command {
    static let path = "completion"
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a script that completes hsip in your shell.",
        discussion: """
            While an agent has the vault open, the shell completes names of contacts, keys, hosts and \
            secrets, fields and references; otherwise hsip opens nothing. Names with characters that a \
            shell interprets are left out. After run, the shell offers programs and files.

              hsip completion bash > ~/.local/share/bash-completion/completions/hsip
              hsip completion fish > ~/.config/fish/completions/hsip.fish
            """
    )

    /// The shells there is a script for.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run(_ context: Context) async throws {
        let script =
            switch shell {
            case .bash: ShellScript.bash(Hsip.completionScript(for: .bash))
            case .zsh: ShellScript.zsh(Hsip.completionScript(for: .zsh))
            case .fish: ShellScript.fish(Hsip.completionScript(for: .fish))
            }
        try context.output.line(script)
        try context.output.succeed(["shell": .text(shell.rawValue), "script": .text(script)])
    }
}
