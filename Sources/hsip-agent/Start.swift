internal import AgentKit
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import System

/// From the command line to a serving agent.
enum Start {
    /// The name and version that clients get.
    static let program = "hsip-agent \(ProductVersion.text)"

    static func run(_ words: [String]) -> Int32 {
        do {
            let options = try AgentOptions(words)
            if options.asksForHelp || options.asksForVersion {
                try Descriptor.output.write(options.asksForHelp ? AgentOptions.help : "\(program)\n")
                return 0
            }
            // Before the second thread: threads inherit which signals are blocked, and the filter of calls.
            let kept = max(ServiceManager.handedOver, (options.readyDescriptor ?? 2) - 2)
            if let descriptor = options.readyDescriptor { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            let hardening = Hardening.apply(keeping: kept)
            let signals = try AgentSignals()
            if let warning = hardening.warning { Complaints.say(warning) }
            let server = try AgentServer(options, signals, hardening)
            ServiceManager.forget()
            try server.begin()
            ServiceManager.ready(telling: options.readyDescriptor)
            let end = server.serve()
            if case .socketGone(let path) = end {
                Complaints.say("the socket \(path) is gone or belongs to another agent: ending")
            }
            return 0
        } catch {
            return Complaints.explain(error)
        }
    }
}

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
