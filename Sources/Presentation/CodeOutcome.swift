package import HSIP
package import VaultKit

/// A code that was taken, and its result.
package struct CodeOutcome {
    /// In one word, as the JSON output spells it.
    package enum Outcome: String {
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
    package struct Comparison {
        package let matches: Bool
        /// Trust was set by it.
        package let isCounted: Bool
        package let source: CodeSource

        package init(matches: Bool, isCounted: Bool, source: CodeSource) {
            self.matches = matches
            self.isCounted = isCounted
            self.source = source
        }
    }

    package let preview: CodePreview
    package let source: CodeSource
    package let reply: Reply
    package var comparison: Comparison?

    package init(
        preview: CodePreview,
        source: CodeSource,
        reply: Reply,
        comparison: Comparison? = nil
    ) {
        self.preview = preview
        self.source = source
        self.reply = reply
        self.comparison = comparison
    }

    /// The code.
    package var code: ExchangeCode { preview.code }

    /// See `Outcome`.
    package var outcome: Outcome {
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
        case .done, .ended: .unchanged
        }
    }

    /// The ROTATE whose ACCEPT is shown again.
    private var isSameRotate: Bool {
        guard case .rotate(let rotate) = code, case .accept(let accept) = reply.code else { return false }
        return accept.rotateRef == rotate.rotateRef
    }
}

/// Where a code was read.
///
/// Only the first two can have been the other person's own screen.
package enum CodeSource: String, Sendable {
    case camera, image, prompt, expected, text, clipboard, message
}
