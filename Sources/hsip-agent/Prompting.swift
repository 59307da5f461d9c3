internal import AgentKit
internal import AgentProtocol
internal import Glibc
internal import VaultLifecycle

/// How the agent itself asks its person: one question at a time, in a window, or on the console of a machine where
/// no one is logged in.
struct Prompting: Sendable {
    /// Asks in the first way that reaches a person, and keeps which questions wait.
    let prompter: QuestionBook
    private let place: PromptPlace
    private let choice: PromptChoice

    /// As the person has set it; a word that is none of ours counts as not set.
    ///
    /// Made before the agent leaves the terminal that it was started at: questions may come there until a person
    /// unlocks the vault elsewhere.
    init(_ config: ConfigFile) throws {
        choice = try config.setting("prompt").flatMap { PromptChoice(rawValue: $0) } ?? .auto
        place = PromptPlace(
            terminal: ControllingTerminal(of: getpid()),
            showsWindows: choice != .terminal
        )
        prompter = QuestionBook(try PrompterChain.ofAgent(choice, at: place))
    }

    /// Asks for the vault's passphrase on behalf of a program that has no person in front of it.
    ///
    /// Without a display it is asked for at that program's own terminal, if it has one. Anyone who answers there knows
    /// the passphrase, so the next questions may come there as well; a yes or no is never asked where only the asking
    /// program has a say.
    func asker(for connection: Connection) -> any UnlockAsker {
        let lines = QuestionText.waiting(for: connection.peer)
        guard !place.hasDisplay, let seat = ControllingTerminal(of: connection.peer.pid),
            connection.peer.isAlive, seat.path != place.terminal?.path
        else {
            let (place, choice) = (place, choice)
            return PrompterAsker(
                prompter,
                tries: 1,
                lines: lines,
                spot: {
                    let reach = place.reach(choice)
                    return QuestionSpot(reach.place, reach.at)
                },
                opened: {}
            )
        }
        let there = PinentryPrompter(place: PromptPlace(terminal: seat, showsWindows: false))
        let place = place
        let chain = PrompterChain([there, prompter])
        return PrompterAsker(
            chain,
            tries: 1,
            lines: lines,
            spot: { QuestionSpot(.terminal, seat.path) },
            opened: { place.adopt([:], terminal: seat) }
        )
    }

    /// Whether a question for the passphrase would reach a person.
    func reaches(_ connection: Connection) -> Bool {
        place.reach(choice).place != .nobody
            || place.pinentry != nil && ControllingTerminal(of: connection.peer.pid) != nil
    }

    /// Lets the next questions appear at the terminal of our own command line, which does not show the passphrase: where
    /// they would reach no one otherwise, and this user logged in there.
    ///
    /// - Returns: whether they do now. Nothing else of the client's environment counts: not its display, not its bus.
    func returns(to caller: ControlCaller) -> Bool {
        guard caller.hello.asks != .nobody, [.nobody, .console].contains(place.reach(choice).place),
            let terminal = ControllingTerminal(of: caller.peer.pid), caller.peer.isAlive,
            LoginTerminals().know(terminal)
        else { return false }
        place.adoptLogin(terminal, caller.hello.environment)
        return true
    }

    /// A client showed the vault's passphrase, so the next questions may appear where it is.
    func moved(to caller: ControlCaller) {
        let terminal = caller.hello.asks == .nobody ? nil : ControllingTerminal(of: caller.peer.pid)
        // Its number may belong to another process by now.
        place.adopt(caller.hello.environment, terminal: caller.peer.isAlive ? terminal : nil)
    }

    /// Says in a status where the person can be asked.
    func add(to status: inout AgentStatus) {
        let reach = place.reach(choice)
        (status.questions, status.questionsAt) = (reach.place, reach.at)
    }
}
