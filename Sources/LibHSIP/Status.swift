internal import AgentProtocol
internal import CHSIP
internal import CLinux
internal import HSIP
internal import Presentation
internal import VaultCrypto
internal import VaultKit

/// The result of a call in C: a number, and the sentence that `hsip_last_error` returns.
enum Status {
    /// Runs a call; an error becomes a number.
    static func of(_ body: () throws -> Void) -> hsip_status {
        refusal(body)?.exitCode ?? hsip_status(HSIP_OK)
    }

    /// Reports an error of the library itself.
    static func of(_ error: LibraryError) -> hsip_status { of { throw error } }

    /// Runs a call that answers in the JSON of the command line, also after an error.
    static func of(
        _ command: String,
        to target: UnsafeMutablePointer<hsip_bytes>?,
        _ body: () throws -> CallAnswer
    ) -> hsip_status {
        var envelope = JSONValue.null
        let refused = refusal {
            let answer = try body()
            envelope = Envelope.done(command, answer.data, warnings: answer.warnings)
        }
        if let refused {
            let error = Envelope.error(
                code: refused.name,
                exit: refused.exitCode,
                message: refused.message,
                hint: refused.hint,
                details: refused.details
            )
            envelope = Envelope.of(command, isOK: false, error, warnings: [])
        }
        do {
            try unsafe OutputBytes.give(try JSONWriter.bytes(envelope), to: target)
        } catch {
            // The call did its work, but its answer could not be handed over.
            if refused == nil { return hsip_status(HSIP_UNAVAILABLE) }
        }
        return refused?.exitCode ?? hsip_status(HSIP_OK)
    }

    /// Runs a call, and keeps its error for the thread until its next call.
    private static func refusal(_ body: () throws -> Void) -> Failure? {
        do {
            try body()
            unsafe hsip_keep_error("", "")
            return nil
        } catch {
            var text =
                error is CryptoError
                ? Failure(.outOfMemory, "hsip cannot lock enough memory") : Failure(error)
            // Only an agent's hint is kept, such as the lease that would allow the call: other hints name options of hsip.
            text.hint = nil
            if case AgentError.refused(let refusal) = error { text.hint = refusal.hint }
            unsafe hsip_keep_error(text.message, text.hint ?? "")
            return text
        }
    }
}

/// The `data` of a command's answer, and its warnings.
struct CallAnswer: Sendable {
    let data: JSONValue
    private(set) var warnings: [JSONValue]

    /// Makes an answer, with notices as warnings.
    init(_ data: JSONValue, _ notices: [Notice] = [], about contact: ContactSummary? = nil) {
        self.data = data
        warnings = notices.map {
            Envelope.warning($0.code, $0.members(about: contact?.alias, contact?.contact.peerID))
        }
    }

    /// Adds a warning that something has expired, or will soon.
    mutating func warn(_ code: String, _ name: String, _ member: String, _ end: Int64) {
        warnings.append(Envelope.warning(code, ["name": .text(name), member: .time(end)]))
    }

    /// Adds a warning that a contact is not trusted.
    mutating func warn(_ code: String, about contact: String) {
        warnings.append(Envelope.warning(code, ["contact": .text(contact)]))
    }
}

/// The errors of the library itself.
enum LibraryError: Error {
    /// The arguments are wrong.
    case usage
    /// The call was not done in time.
    case busy
    /// The process is a child of the process that opened the vault, or the options are from a newer library.
    case unavailable
    /// A name or text is not UTF-8, empty or too long.
    case malformed
    /// A text has several messages, but may have one.
    case several
    /// `hsip_call` does not have the command.
    case unknown
    /// A secret has expired.
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
