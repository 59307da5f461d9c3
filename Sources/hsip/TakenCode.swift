internal import HSIP
internal import VaultKit

/// A code of somebody that was taken, and what came of it.
struct TakenCode {
    /// In one word, as the JSON output spells it.
    enum Outcome: String {
        /// Took an OFFER; the reply is my ANSWER.
        case answered
        /// Took an ANSWER.
        case paired
        /// Took a ROTATE; the reply is my ACCEPT.
        case prepared
        /// Took an ACCEPT.
        case rotated
        /// Took a ROTATE that is lower or older than mine; the reply is the code to send.
        case handedBack
        /// Took the REVOKE of a session.
        case ended
        /// Took the REVOKE of an identity.
        case identityRevoked
        /// Took a VERIFY.
        case compared
        /// The same code again.
        case unchanged
    }

    /// How a comparison went.
    struct Comparison {
        let matches: Bool
        /// Trust was set by it.
        let isCounted: Bool
        let source: CodeIntake.Source
    }

    let code: ExchangeCode
    let preview: CodePreview
    let source: CodeIntake.Source
    let reply: Reply
    /// The contact was made by this.
    let isNew: Bool
    var comparison: Comparison?

    /// See `Outcome`.
    var outcome: Outcome {
        switch reply.result {
        case .answered: .answered
        case .paired: .paired
        case .prepared: .prepared
        case .rotated: .rotated
        case .sessionsEnded: .ended
        case .identityEnded: .identityRevoked
        case .verifyMatched: .compared
        case .shows:
            reply.notices.contains(.alreadyPaired) || isSameRotate ? .unchanged : .handedBack
        case .done, .ended, .reserved, .opened, .exported: .unchanged
        }
    }

    /// The ROTATE whose ACCEPT is shown again.
    private var isSameRotate: Bool {
        guard case .rotate(let rotate) = code, case .accept(let accept) = reply.code else { return false }
        return accept.rotateRef == rotate.rotateRef
    }
}
