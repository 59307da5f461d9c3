/// Where a person wants to be asked; the word `prompt` of config.json.
public enum PromptChoice: String, CaseIterable, Sendable {
    /// At the terminal of the program that asks; where it has none, by the agent: in a window, or without a display
    /// at the terminal where the vault was unlocked.
    case auto
    /// At terminals only: the agent shows no windows.
    case terminal
    /// By the agent only, also for programs at a terminal.
    case pinentry
}
