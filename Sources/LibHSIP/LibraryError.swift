internal import Presentation

/// What the library itself refuses.
enum LibraryError: Error {
    /// A call that cannot be meant so.
    case usage
    /// Not in time.
    case busy
    /// A child of the process that opened the vault, or options of a newer library.
    case unavailable
    /// A name or text that is not UTF-8, empty or too long.
    case malformed
    /// Several messages in a text that may have one.
    case several
    /// A command that `hsip_call` does not have.
    case unknown
    /// A secret that is past its time.
    case expired
}

extension LibraryError: Explainable {
    var explanation: Failure {
        switch self {
        case .usage: Failure(.usage, "the arguments of this call contradict each other")
        case .busy: Failure(.busy, "the call was not done in time")
        case .unavailable:
            Failure(.unavailable, "the library cannot be used after a fork, or with unknown options")
        case .malformed:
            Failure(.malformedInput, "a text argument of this call is not UTF-8, empty or too long")
        case .several:
            Failure(.inputNeeded, "the text contains several messages; give one at a time")
        case .unknown: Failure(.notFound, "the vault has nothing of that name")
        case .expired:
            Failure(name: "secretExpired", exitCode: ExitCode.expired.rawValue, "the secret has expired")
        }
    }
}
