internal import CLinux

/// The arguments that the program was started with, read from the memory in which the system put them for `main`.
///
/// `CommandLine.arguments` looks for them beside the environment. If a library changes a variable before the program
/// begins, it finds no arguments, and the program would do something other than the user asked for.
package struct CommandLineWords: Equatable, Sendable {
    /// Why the arguments cannot be read.
    package enum Unreadable: Error, Equatable, Sendable {
        /// Even the program's own name is missing.
        case missing
        /// The argument with this index is not UTF-8; the first after the program's name has the index 1.
        case notText(place: Int)

        /// The error as a sentence for a person.
        package var sentence: String {
            switch self {
            case .missing: "the program was started without its arguments"
            case .notText(let place): "argument \(place) is not UTF-8 text"
            }
        }
    }

    /// The name under which the program was started.
    package let program: String
    /// The arguments after the program's name.
    package let words: [String]

    /// The arguments of this process.
    package static func ofProcess() throws(Unreadable) -> CommandLineWords {
        guard let start = unsafe hsip_arguments() else { throw .missing }
        var found: [String] = []
        while let word = unsafe start[found.count] {
            // A file name with repaired UTF-8 would name another file.
            guard let text = unsafe String(validatingCString: word) else {
                throw .notText(place: found.count)
            }
            found.append(text)
        }
        guard let program = found.first else { throw .missing }
        return CommandLineWords(program: program, words: Array(found.dropFirst()))
    }
}
