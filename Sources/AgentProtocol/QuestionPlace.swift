/// Where an agent asks its person by itself: for those who have no terminal of their own, as what comes over the ssh
/// socket.
public enum QuestionPlace: String, Sendable {
    /// In a window on a display.
    case window
    /// At the terminal where its vault was unlocked, or where it was started.
    case terminal
    /// By the service manager, on the console of a machine where no one is logged in: for a passphrase only.
    case console
    /// Nowhere: what needs a question is refused.
    case nobody
}
