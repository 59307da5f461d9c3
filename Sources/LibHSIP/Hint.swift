internal import CLinux

/// The command that would help after the last call of this thread; see `hsip_hint`.
enum Hint {
    /// Keeps it until the next call.
    static func keep(_ text: String?) { unsafe hsip_keep_text(text ?? "") }
}
