/// What every command line must know of `run`, whose own words end where those of the program begin.
package enum RunWords {
    /// The command without its arguments.
    package static let path = "run"
    /// The exit code of what goes wrong before the program starts: those of the program are below it.
    package static let failed: Int32 = 125

    /// Whether a word names the program that `run` starts: it is the first that is neither an option nor the
    /// value of one.
    static func isProgram(_ word: String, after words: [String]) -> Bool {
        guard words.first == path, !word.hasPrefix("-") else { return false }
        return !["--env-file", "--fd"].contains(words.last)
    }
}
