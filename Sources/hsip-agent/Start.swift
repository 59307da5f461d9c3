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
