internal import Presentation

/// What the library itself refuses.
enum LibraryError: Error {
    /// A call that cannot be meant so.
    case usage
    /// Not in time.
    case busy
    /// A child of the process that opened the vault, or options of a newer library.
    case unavailable
    /// A name or text that is none.
    case malformed
    /// Several messages where one was meant.
    case several
    /// There is nothing of that name.
    case unknown
    /// A secret that is past its time.
    case expired
    /// No one could be asked for the passphrase.
    case locked
    /// The person said no.
    case denied
}

extension LibraryError: Explainable {
    var explanation: ErrorText {
        switch self {
        case .usage: ErrorText(.usage, "the arguments of this call contradict each other")
        case .busy: ErrorText(.busy, "the call was not done in time")
        case .unavailable:
            ErrorText(
                .unavailable,
                "the library cannot be used after a fork, or with unknown options"
            )
        case .malformed:
            ErrorText(.malformedInput, "a text argument of this call is not UTF-8, empty or too long")
        case .several:
            ErrorText(.inputNeeded, "the text contains several messages; give one at a time")
        case .unknown: ErrorText(.notFound, "the vault has nothing of that name")
        case .expired:
            ErrorText(
                name: "secretExpired",
                exitCode: ExitCode.expired.rawValue,
                "the secret has expired"
            )
        case .locked: ErrorText(.locked, "the vault is locked, and nobody could be asked for its passphrase")
        case .denied: ErrorText(.denied, "the person refused the question")
        }
    }
}
