internal import AgentKit
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import System

/// What the agent says on stderr, and with which exit code it ends (Schemas/exit-codes.json).
enum Complaints {
    /// One line; the system's journal keeps it, so nothing of the vault is in it.
    static func say(_ text: String) { try? Descriptor.error.write("hsip-agent: \(text)\n") }

    /// Says why the agent could not start.
    static func explain(_ error: any Error) -> Int32 {
        switch error {
        case let error as AgentOptions.Mistake:
            say("unknown option or missing value: \(error.word) (see --help)")
            return 2
        case let error as CommandLineWords.Unreadable:
            say("\(error.sentence) (see --help)")
            return 2
        case let error as SystemError: return explain(error)
        default:
            let text = Failure(error)
            say(text.line)
            return text.exitCode
        }
    }

    private static func explain(_ error: SystemError) -> Int32 {
        switch error {
        case .alreadyServed(let path):
            say("another agent serves \(path)")
            return 4
        case .pathTaken(let path): say("\(path) exists and is not an agent's socket")
        case .pathTooLong(let path): say("the socket's path is longer than 107 bytes: \(path)")
        case .unsafeFolder(let path): say("the folder \(path) must be yours alone (mode 0700)")
        case .unsuitableSocket(let name):
            say("the socket passed as '\(name)' is not the expected one")
        case .failed(let call, let code): say("\(call): \(unsafe String(cString: strerror(code)))")
        }
        return 12
    }
}
