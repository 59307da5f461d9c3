internal import AgentKit
internal import AgentProtocol
internal import Programs
internal import VaultPolicy

/// How the agent itself asks its person: one question at a time, in a window, or on the console of a machine where
/// nobody is logged in.
struct Prompting: Sendable {
    /// Asks in the first way that reaches somebody.
    let prompter: any Prompter
    private let place = PromptPlace()

    init() throws(PromptError) {
        var ways: [any Prompter] = [PinentryPrompter(place: place), AskpassPrompter(place: place)]
        // A service without a login: nobody looks at a display, and systemd has agents that ask.
        if Environment.process["INVOCATION_ID"] != nil, Environment.process["XDG_RUNTIME_DIR"] == nil {
            ways.append(SystemdPrompter(place: place))
        }
        prompter = try PromptQueue(PrompterChain(ways))
    }

    /// Asks for the vault's passphrase on behalf of a program that nobody sits in front of.
    func asker(for connection: Connection) -> any UnlockAsker {
        let peer = connection.peer
        let requester = Requester(
            uid: peer.uid,
            pid: peer.pid,
            program: peer.programNow.path.map { .other(path: $0) } ?? .unknown,
            chain: peer.chain
        )
        return PrompterAsker(prompter, tries: 1, lines: QuestionText.unlock(for: requester).lines)
    }

    /// A client opened the vault: it knew the passphrase, so the next questions may appear where it is.
    func moved(to caller: ControlCaller) { place.adopt(caller.hello.environment) }
}
