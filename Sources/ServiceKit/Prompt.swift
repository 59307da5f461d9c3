internal import Secrets
internal import MessageBus

/// A question that a client may have put to the person.
final class Prompt {
    /// What comes of it: by its type, also where the person says no.
    enum Outcome {
        case paths([String])
        case path(String)
        /// Nothing but that it is done.
        case done

        /// What a prompt that was dismissed says.
        var empty: Outcome {
            switch self {
            case .paths: .paths([])
            case .path: .path(ObjectPath.none)
            case .done: .done
            }
        }

        func write(to message: BusMessage) {
            switch self {
            case .paths(let paths): message.variant("ao") { message.put(paths: paths) }
            case .path(let path): message.variant("o") { message.put(path, "o") }
            case .done: message.variant("s") { message.put("") }
            }
        }
    }

    /// What it says when it is dismissed.
    let dismissed: Outcome
    /// Begins it; nil where too much is under way.
    let begin: (_ path: String) -> UInt64?
    /// Whether the client has had it shown.
    var isShown = false
    var work: UInt64?

    init(dismissed: Outcome, begin: @escaping (_ path: String) -> UInt64?) {
        (self.dismissed, self.begin) = (dismissed.empty, begin)
    }
}
