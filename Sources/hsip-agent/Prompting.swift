internal import AgentKit
internal import AgentProtocol
internal import VaultOpening

/// How the agent itself asks its person: one question at a time, in a window, or on the console of a machine where
/// nobody is logged in.
struct Prompting: Sendable {
    /// Asks in the first way that reaches somebody; nil where the person wants no windows.
    let prompter: (any Prompter)?
    private let place: PromptPlace

    /// As the person has set it; a word that is none of ours counts as not set.
    init(_ config: ConfigFile) throws {
        let choice = try config.setting("prompt").flatMap { PromptChoice(rawValue: $0) }
        place = PromptPlace()
        prompter = try PrompterChain.ofAgent(choice ?? .auto, at: place)
    }

    /// Asks for the vault's passphrase on behalf of a program that nobody sits in front of.
    func asker(for connection: Connection) -> (any UnlockAsker)? {
        prompter.map { PrompterAsker($0, tries: 1, lines: QuestionText.waiting(for: connection.peer)) }
    }

    /// A client opened the vault: it knew the passphrase, so the next questions may appear where it is.
    func moved(to caller: ControlCaller) { place.adopt(caller.hello.environment) }
}
