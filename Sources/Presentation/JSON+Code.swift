package import HSIP
package import VaultKit

/// The objects of Schemas/cli/code.schema.json.
extension JSONValue {
    /// Returns a code for a contact or a machine.
    ///
    /// `image` describes a picture of the code, or is null.
    package static func code(
        _ code: ExchangeCode,
        contact: String?,
        isCached: Bool,
        image: JSONValue = .null,
        isCopied: Bool = false
    ) -> JSONValue {
        let header = code.header
        let terms = code.kind == .revoke ? nil : header
        let (scope, reason) = revocation(code)
        return [
            "kind": .text(code.kind.hrp), "code": .text(code.text), "contact": .optional(contact),
            "issuedAt": .time(header?.issued), "expiresAt": .time(terms?.expiry),
            "lifeSeconds": .optional(terms.map { Int64($0.lifeHours) * 3_600 }),
            "limit": .optional(terms?.limit), "fresh": .bool(header?.isFresh ?? false),
            "scope": scope, "reason": reason, "cached": .bool(isCached),
            "image": image, "copied": .bool(isCopied),
        ]
    }

    /// Returns the result of `pair --close-all`.
    package static func closed(_ count: Int) -> JSONValue { ["closedOffers": .integer(count)] }

    /// Returns the result of `accept`.
    ///
    /// `reply` is the code to send back, in the form of `code`, or null.
    package static func accepted(_ taken: CodeOutcome, contact: ContactSummary?, reply: JSONValue)
        -> JSONValue
    {
        let peer = contact?.contact.peerID ?? taken.preview.peerID
        return [
            "took": Self.taken(taken, peer), "outcome": .text(taken.outcome.rawValue),
            "contact": .optional(contact?.alias), "peerId": .optional(peer?.text),
            "trust": .optional(contact?.contact.trust.name), "isNew": .bool(taken.reply.isNew),
            "rePairedNotVerified": .bool(contact?.contact.isRepaired ?? false),
            "notComparedSinceRestore": .bool(contact?.contact.isUncompared ?? false),
            "reply": reply, "session": contact.map { .session($0) } ?? .null,
            "comparison": taken.comparison.map { .comparison($0) } ?? .null,
        ]
    }

    private static func taken(_ taken: CodeOutcome, _ peer: PeerID?) -> JSONValue {
        let header = taken.code.header
        let terms = taken.code.kind == .revoke ? nil : header
        let (scope, reason) = revocation(taken.code)
        return [
            "kind": .text(taken.code.kind.hrp), "issuedAt": .time(header?.issued),
            "peerId": .optional(taken.preview.peerID?.text ?? peer?.text),
            "sentName": .optional(taken.preview.name),
            "lifeSeconds": .optional(terms.map { Int64($0.lifeHours) * 3_600 }),
            "limit": .optional(terms?.limit), "scope": scope, "reason": reason,
            "insideMessage": .bool(taken.source == .message),
        ]
    }

    /// Returns the result of comparing a VERIFY or a number.
    package static func comparison(_ comparison: CodeOutcome.Comparison) -> JSONValue {
        [
            "matches": .bool(comparison.matches), "counted": .bool(comparison.isCounted),
            "source": .text(comparison.source.rawValue),
        ]
    }

    private static func revocation(_ code: ExchangeCode) -> (scope: JSONValue, reason: JSONValue) {
        guard case .revoke(let notice) = code else { return (.null, .null) }
        switch notice.scope {
        case .session: return ("session", .text(notice.reason.word))
        case .identity: return ("identity", .text(notice.reason.word))
        }
    }
}

extension RevokeReason {
    /// The reason as a word of the JSON output and of `--reason`.
    package var word: String {
        switch self {
        case .none: "none"
        case .lostDevice: "lost"
        case .compromised: "compromised"
        case .ended: "ended"
        }
    }

    /// The reason as a sentence; nil without a reason.
    package var phrase: String? {
        switch self {
        case .none: nil
        case .lostDevice: "device lost"
        case .compromised: "key compromised"
        case .ended: "ended"
        }
    }
}
