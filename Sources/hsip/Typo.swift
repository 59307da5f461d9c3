internal import ArgumentParser
internal import Console

/// A word where a command belongs that is none, and the command that was perhaps meant.
enum Typo {
    /// The failure to report; nil when every word that names a command is one.
    static func find(in words: [String]) -> Failure? {
        var known: any ParsableCommand.Type = Hsip.self
        var path = "hsip"
        for word in words {
            let commands = known.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                return failure(word, among: commands.map { $0._commandName }, path)
            }
            known = next
            path += " \(word)"
        }
        return nil
    }

    private static func failure(_ word: String, among names: [String], _ path: String) -> Failure {
        let display = Display(isUTF8: Surroundings.current().isUTF8)
        let near = names.map { (NameDistance.between(word, $0), $0) }.filter { $0.0 <= 2 }.min { $0.0 < $1.0 }
        let question = near.map { "; did you mean \($0.1)?" } ?? ""
        return Failure(
            .usage, code: "usage", message: "there is no command \(display.name(word))\(question)",
            hint: near.map { "\(path) \($0.1)" } ?? "\(path) --help")
    }
}
