internal import AgentKit
internal import Presentation
internal import System
internal import Text

/// What the program says on stderr, and with which exit code it ends (Schemas/exit-codes.json).
enum Complaints {
    /// Why the service cannot begin.
    enum Obstacle: Error, Equatable {
        case noBus
        case nameRefused
        /// Another program has taken the name.
        case nameLost
        /// Another program serves the name; its process and its name, as far as they can be read.
        case nameTaken(pid: Int32?, program: String?)
    }

    /// One line; the system's journal keeps it, so nothing of the vault is in it.
    static func say(_ text: String) { try? Descriptor.error.write("hsip-secrets: \(text)\n") }

    /// Says why it could not start.
    static func explain(_ error: any Error) -> Int32 {
        switch error {
        case let error as ServiceOptions.Mistake:
            say("unknown option or missing value: \(error.word) (see --help)")
            return 2
        case let error as CommandLineWords.Unreadable:
            say("\(error.sentence) (see --help)")
            return 2
        case Obstacle.noBus:
            say("no session bus")
            return 12
        case Obstacle.nameRefused:
            say("the session bus refuses hsip-secrets the name org.freedesktop.secrets")
            return 12
        case Obstacle.nameLost:
            say("another program has the name org.freedesktop.secrets now")
            return 4
        case Obstacle.nameTaken(let pid, let program):
            let name = program.map { Display(isUTF8: true).name($0) } ?? "another program"
            say("\(name)\(pid.map { " (process \($0))" } ?? "") serves org.freedesktop.secrets already")
            return 4
        default:
            let text = Failure(error)
            say(text.line)
            return text.exitCode
        }
    }
}
