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
