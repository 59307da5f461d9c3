internal import ArgumentParser
internal import Commands
internal import Presentation

/// Matches the words of a command line with the tree of commands, up to the first unknown word.
struct CommandWords {
    /// The commands that were recognised: `vault`, `slot`.
    private var path: [String] = []
    /// The unknown word where a command was expected.
    private var stray: String?
    /// The words after the unknown word.
    private var rest: [String] = []
    /// The names that were possible there.
    private var names: [String] = []

    /// The commands that may follow.
    private var next: [any ParsableCommand.Type] = Hsip.configuration.subcommands

    init(_ words: [String]) {
        var type: any ParsableCommand.Type = Hsip.self
        for (place, word) in words.enumerated() {
            let choices = type.configuration.subcommands
            guard !choices.isEmpty, !word.hasPrefix("-") else { return }
            guard let next = choices.first(where: { Self.name(of: $0) == word }) else {
                stray = word
                rest = Array(words.dropFirst(place + 1))
                names = choices.filter { $0.configuration.shouldDisplay }.map(Self.name)
                return
            }
            path.append(word)
            type = next
            self.next = next.configuration.subcommands
        }
    }

    /// The error in the words; nil if they lead to a command.
    var complaint: String? {
        stray.map { "there is no command '\((path + [$0]).joined(separator: " "))'" }
    }

    /// The command that was probably meant; nil if no name is similar.
    var suggestion: String? {
        guard let stray else { return nil }
        if let proposal = OtherWords.proposal(for: stray, behind: path, among: names, before: rest) {
            return proposal
        }
        let near = names.map { (name: $0, distance: NameDistance.between($0, stray)) }
            .filter { $0.distance <= 1 }
        guard let name = near.min(by: { $0.distance < $1.distance })?.name else { return nil }
        return (["hsip"] + path + [name]).joined(separator: " ")
    }

    /// Adds the option that was probably meant to the parser's message about an unknown option.
    func corrected(_ message: String) -> String {
        let parts = message.split(separator: "'", maxSplits: 2)
        guard parts.first == "Unknown option ", parts.count > 1,
            let option = OtherWords.option(for: String(parts[1]), of: path)
        else { return message }
        return "Unknown option '\(parts[1])'. Did you mean '\(option)'?"
    }

    /// Whether the words lead to a group with this command.
    func hasCommand(_ name: String) -> Bool {
        stray == nil && next.contains { Self.name(of: $0) == name }
    }

    /// The help command for the recognised words.
    var help: String { (["hsip", "help"] + path).joined(separator: " ") }

    /// The hint for an extra word that people often put after certain commands.
    var placeOfStray: (message: String, hint: String)? {
        switch path {
        case ["secret", "inject"]:
            ("hsip secret inject reads the template from stdin", "hsip secret inject < TEMPLATE")
        default: nil
        }
    }

    /// Whether the command is a `run`, whose own exit codes leave room for those of the program it starts.
    var isRun: Bool { path.first == RunWords.path || path == RunWords.keyring || path == RunWords.lease }

    /// Returns the name of a command; without a name of its own, it comes from its type.
    private static func name(of type: any ParsableCommand.Type) -> String {
        type.configuration.commandName ?? "\(type)".lowercased()
    }
}
