/// Where a person wants to be asked; the word `prompt` of config.json.
public enum PromptChoice: String, CaseIterable, Sendable {
    /// At the terminal of the program that asks; where it has none, by a window of the agent's.
    case auto
    /// At the terminal only: the agent shows no windows.
    case terminal
    /// By the agent's window only, also for programs at a terminal.
    case pinentry
}
