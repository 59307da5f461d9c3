package import ArgumentParser

/// A command of `hsip`: words in, data out, talk on the side.
package protocol Command: ParsableCommand, Runnable {}

/// Something that a line of words asks for, ready to be done.
package protocol Runnable: SendableMetatype {
    /// The command without its arguments, as the JSON output names it: `vault slot add`.
    static var path: String { get }
    /// Whether it only reads, and so goes with `--old-copy`.
    static var readsOldCopies: Bool { get }

    /// Does it. Data goes through `context.output`; a thrown error becomes one line and an exit code.
    func run(_ context: Context) async throws
}

extension Runnable {
    package static var readsOldCopies: Bool { false }
}

/// A command whose everyday forms are read without the parser.
///
/// Setting up the parser for one command takes longer than most commands do, as it looks at every property of the
/// command's type first.
package protocol PlainCommand: Runnable {
    /// The command of words that leave nothing to interpret; nil for all others, which the parser reads or explains.
    ///
    /// What is made here does what the command does that the parser makes of the same words.
    init?(_ words: PlainWords)
}

extension PlainCommand {
    /// The command, if its own name comes first.
    package static func read(_ words: [String]) -> (any Runnable)? {
        let path = path.split(separator: " ")
        guard words.count >= path.count, zip(words, path).allSatisfy({ $0 == $1 }),
            let plain = PlainWords(words.dropFirst(path.count))
        else { return nil }
        return Self(plain)
    }
}

/// The words after a command's name, where they can only mean one thing: values, and options of two words.
///
/// A word that begins with a minus is an option only in the exact form `--name VALUE`, once, after all values.
package struct PlainWords {
    /// What stands before the first option.
    private(set) var values: ArraySlice<String>
    // A list, as there are few, and a table's type takes longer to make than the list to search.
    private var options: [(name: String, value: String)] = []

    /// Nil for anything else: flags, `--name=VALUE`, `--`, an empty word.
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

    /// Takes the next value.
    package mutating func value() -> String? { values.popFirst() }

    /// Takes the value of an option, even one that begins with a minus.
    package mutating func option(_ name: String) -> String? {
        guard let place = options.firstIndex(where: { $0.name == name }) else { return nil }
        return options.remove(at: place).value
    }

    /// Whether nothing is left.
    package var isEmpty: Bool { values.isEmpty && options.isEmpty }
}
