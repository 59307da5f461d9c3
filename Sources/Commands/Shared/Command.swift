package import ArgumentParser

/// A command of `hsip`: it reads words, writes data to stdout, and messages to stderr.
package protocol Command: ParsableCommand, Runnable {}

/// What a command line asks for, ready to run.
package protocol Runnable: SendableMetatype {
    /// The command without its arguments, as the JSON output names it: `vault slot add`.
    static var path: String { get }
    /// Whether the command only reads, so that `--old-copy` is allowed with it.
    static var readsOldCopies: Bool { get }

    /// Runs the command.
    ///
    /// Data goes through `context.output`; a thrown error becomes one line and an exit code.
    func run(_ context: Context) async throws
}

extension Runnable {
    package static var readsOldCopies: Bool { false }
}

/// A command whose everyday forms are read without the parser.
///
/// Setting up the parser for one command needs more time than most commands, because it first inspects every property of
/// the command's type.
package protocol PlainCommand: Runnable {
    /// The command for words with one possible meaning; nil for all others, which the parser reads or explains.
    ///
    /// The command does the same as the command that the parser makes from these words.
    init?(_ words: PlainWords)
}

extension PlainCommand {
    /// The command, if the words begin with its name.
    package static func read(_ words: [String]) -> (any Runnable)? {
        let path = path.split(separator: " ")
        guard words.count >= path.count, zip(words, path).allSatisfy({ $0 == $1 }),
            let plain = PlainWords(words.dropFirst(path.count))
        else { return nil }
        return Self(plain)
    }
}

/// The words after a command's name, if they have only one possible meaning: values, then options.
///
/// Each option has the exact form `--name VALUE`, is given once, and comes after all values.
package struct PlainWords {
    /// The words before the first option.
    private(set) var values: ArraySlice<String>
    // A list: there are few options, and a dictionary's type needs more time to set up than the list to search.
    private var options: [(name: String, value: String)] = []

    /// Reads the words; nil for flags, `--name=VALUE`, `--` and an empty word.
    init?(_ words: ArraySlice<String>) {
        let end = words.firstIndex { $0.hasPrefix("-") } ?? words.endIndex
        values = words[..<end]
        var rest = words[end...]
        while let name = rest.popFirst() {
            guard name.hasPrefix("--"), name.count > 2, !name.contains("="), let value = rest.popFirst(),
                !options.contains(where: { $0.name == name })
            else { return nil }
            options.append((name, value))
        }
        guard values.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// Removes and returns the next value.
    package mutating func value() -> String? { values.popFirst() }

    /// Removes an option and returns its value, even if that begins with a minus.
    package mutating func option(_ name: String) -> String? {
        guard let place = options.firstIndex(where: { $0.name == name }) else { return nil }
        return options.remove(at: place).value
    }

    /// Whether all words have been removed.
    package var isEmpty: Bool { values.isEmpty && options.isEmpty }
}
