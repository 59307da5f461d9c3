internal import CLinux
internal import Presentation

/// What this thread's last call was refused for; see `hsip_last_error` and `hsip_hint`.
enum LastError {
    /// Keeps it until the next call.
    static func keep(_ refused: Refused) {
        unsafe hsip_keep_error(refused.text.message, refused.text.hint ?? "")
    }

    /// The last call was not refused.
    static func clear() { unsafe hsip_keep_error("", "") }
}
