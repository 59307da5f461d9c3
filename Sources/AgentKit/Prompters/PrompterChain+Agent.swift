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
            var ways: [any Prompter] = [pinentry, AskpassPrompter(place: place)]
            // A service without a login: nobody looks at a display, and systemd has agents that ask.
            if place.setting("INVOCATION_ID") != nil, place.setting("XDG_RUNTIME_DIR") == nil {
                ways.append(SystemdPrompter(place: place))
            }
            return try PromptQueue(PrompterChain(ways))
        }
    }
}
