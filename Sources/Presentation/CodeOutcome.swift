package import HSIP
package import VaultKit

/// An accepted code and its result.
package struct CodeOutcome {
    /// The kind of result, as a word of the JSON output.
    package enum Outcome: String {
        /// An OFFER was accepted; the reply is the ANSWER.
        case answered
        /// An ANSWER was accepted.
        case paired
        /// A ROTATE was accepted; the reply is the ACCEPT.
        case prepared
        /// An ACCEPT was accepted.
        case rotated
        /// The ROTATE has a lower rank than the user's own, or is older; the reply is the code to send.
        case handedBack
        /// The REVOKE of a session was accepted.
        case ended
        /// The REVOKE of an identity was accepted.
        case identityRevoked
        /// A VERIFY was compared.
        case compared
        /// The code had been accepted before.
        case unchanged
    }

    /// The result of a comparison.
    package struct Comparison {
        package let matches: Bool
        /// Whether the comparison changed the trust in the contact.
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

    /// The accepted code.
    package var code: ExchangeCode { preview.code }

    /// The kind of result.
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

    /// Whether the ROTATE's ACCEPT is shown again.
    private var isSameRotate: Bool {
        guard case .rotate(let rotate) = code, case .accept(let accept) = reply.code else { return false }
        return accept.rotateRef == rotate.rotateRef
    }
}

/// The way by which a code was read.
///
/// Only the first two can have been the contact's own screen.
package enum CodeSource: String, Sendable {
    case camera, image, prompt, expected, text, clipboard, message
}
