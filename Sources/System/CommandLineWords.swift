internal import CLinux

/// The words that the program was started with, taken from where the system put them for `main`.
///
/// `CommandLine.arguments` looks for them beside the environment: a library that changes a variable before the program
/// begins leaves it with none of them, and the program would do something else than what it was asked for.
package struct CommandLineWords: Equatable, Sendable {
    /// Why the words cannot be read.
    package enum Unreadable: Error, Equatable, Sendable {
        /// There is not even the program's own name.
        case missing
        /// The word at this place is no UTF-8 text; the first after the program's name is 1.
        case notText(place: Int)

        /// What happened, for a person.
        package var sentence: String {
            switch self {
            case .missing: "the program was started without its arguments"
            case .notText(let place): "argument \(place) is not UTF-8 text"
            }
        }
    }

    /// What the program was started as.
    package let program: String
    /// What follows.
    package let words: [String]

    /// The words of this process.
    package static func ofProcess() throws(Unreadable) -> CommandLineWords {
        guard let start = unsafe hsip_arguments() else { throw .missing }
        var found: [String] = []
        while let word = unsafe start[found.count] {
            // A name that was corrected on the way would be another file's.
            guard let text = unsafe String(validatingCString: word) else {
                throw .notText(place: found.count)
            }
            found.append(text)
        }
        guard let program = found.first else { throw .missing }
        return CommandLineWords(program: program, words: Array(found.dropFirst()))
    }
}
