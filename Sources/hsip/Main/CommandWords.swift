internal import ArgumentParser
internal import Commands
internal import Presentation

/// The words of a command line against the tree of commands: how far they lead, and the first that leads nowhere.
struct CommandWords {
    /// The commands that were understood: `vault`, `slot`.
    private var path: [String] = []
    /// The word that names no command where one was due.
    private var stray: String?
    /// The words after it.
    private var rest: [String] = []
    /// The names that were possible in its place.
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

    /// What is wrong with the words themselves; nil when they lead to a command.
    var complaint: String? {
        stray.map { "there is no command '\((path + [$0]).joined(separator: " "))'" }
    }

    /// The command that was probably meant; nil when nothing is near.
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

    /// The parser's message about an unknown option; proposes the option that the word means.
    func corrected(_ message: String) -> String {
        let parts = message.split(separator: "'", maxSplits: 2)
        guard parts.first == "Unknown option ", parts.count > 1,
            let option = OtherWords.option(for: String(parts[1]), of: path)
        else { return message }
        return "Unknown option '\(parts[1])'. Did you mean '\(option)'?"
    }

    /// Whether the words lead to a noun that has this verb.
    func hasCommand(_ name: String) -> Bool {
        stray == nil && next.contains { Self.name(of: $0) == name }
    }

    /// Where to read on.
    var help: String { (["hsip", "help"] + path).joined(separator: " ") }

    /// Where a word belongs that a command does not take, of those that people put one behind.
    var placeOfStray: (message: String, hint: String)? {
        switch path {
        case ["secret", "inject"]:
            ("hsip secret inject reads the template from stdin", "hsip secret inject < TEMPLATE")
        default: nil
        }
    }

    /// They are about a `run`, whose own exit codes leave room for those of the program it starts.
    var isRun: Bool { path.first == RunWords.path || path == RunWords.keyring || path == RunWords.lease }

    /// A command without a name of its own is called as its type is.
    private static func name(of type: any ParsableCommand.Type) -> String {
        type.configuration.commandName ?? "\(type)".lowercased()
    }
}
