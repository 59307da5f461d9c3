package import AgentProtocol

extension PrompterChain {
    /// How the agent asks by itself, where the caller has no terminal: pinentry on the display, `$SSH_ASKPASS` for
    /// a yes or a no, systemd where nobody is logged in; one question at a time.
    ///
    /// - Returns: nil where the agent asks nobody by itself.
    package static func ofAgent(
        _ choice: PromptChoice,
        at place: PromptPlace
    ) throws(PromptError) -> (any Prompter)? {
        let pinentry = PinentryPrompter(place: place)
        switch choice {
        case .terminal: return nil
        case .pinentry: return try PromptQueue(pinentry)
        case .auto:
            let further: [any Prompter] = [AskpassPrompter(place: place), SystemdPrompter(place: place)]
            return try PromptQueue(PrompterChain([pinentry] + further))
        }
    }
}
