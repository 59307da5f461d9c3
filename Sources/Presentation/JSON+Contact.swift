package import HSIP
package import VaultKit

/// The objects of Schemas/cli/contact.schema.json and identity.schema.json.
extension JSONValue {
    /// Returns the user's own identity (Schemas/cli/identity.schema.json).
    package static func identity(_ identity: IdentitySummary) -> JSONValue {
        [
            "name": .text(identity.name), "peerId": .text(identity.peerID.text),
            "peerIdBase64": .base64(identity.peerID.bytes), "publicKeyBase64": .base64(identity.publicKey),
            "sessionId": .text(identity.peerID.sessionID), "createdAt": .time(identity.created),
            // Printing the notice that ends the identity does not change the vault, so the time is unknown.
            "revokedAt": nil,
        ]
    }

    /// Returns a contact.
    package static func contact(_ summary: ContactSummary) -> JSONValue {
        let contact = summary.contact
        return [
            "contact": .text(contact.alias),
            "peerId": .text(contact.peerID.text), "peerIdBase64": .base64(contact.peerID.bytes),
            "publicKeyBase64": contact.identityKey.map { .base64($0) } ?? .null,
            "sentName": .unlessEmpty(contact.sentName),
            "trust": .text(contact.trust.name), "verifiedAt": .time(contact.verifiedAt),
            "verifiedBy": .optional(contact.verification.name),
            "rePairedNotVerified": .bool(contact.isRepaired),
            "notComparedSinceRestore": .bool(contact.isUncompared),
            "lowestSuite": .integer(contact.suiteRule == .onlyTwo ? 2 : 1),
            "oldProgram": .bool(contact.suiteRule == .onlyOne),
            "requireVerified": .bool(contact.requiresVerification), "note": .unlessEmpty(contact.note),
            "createdAt": .time(summary.created), "removedAt": .time(contact.trashedAt),
            "restorableUntilAt": .time(contact.restorableUntil), "session": .session(summary),
        ]
    }

    /// Returns the result of `contact list`.
    package static func contacts(_ contacts: [ContactSummary]) -> JSONValue {
        ["contacts": .list(contacts.map { .contact($0) })]
    }

    /// Returns the result of `contact rm`; `notice` is in the form of `code`, or null.
    package static func removed(
        _ summary: ContactSummary,
        notice: JSONValue,
        endedPairings: Int,
        closedOffers: Int
    ) -> JSONValue {
        [
            "contact": .text(summary.alias), "peerId": .text(summary.contact.peerID.text), "notice": notice,
            "endedPairings": .integer(endedPairings), "closedOffers": .integer(closedOffers),
            "restorableUntilAt": .time(summary.contact.restorableUntil),
        ]
    }
}

extension Contact {
    /// The end of the time in which `contact restore` is guaranteed to work: the 30 days of the trash.
    fileprivate var restorableUntil: Int64? {
        trashedAt.map { Int64(TrashPolicy.end(removedAt: $0)) }
    }
}

extension Contact.Verification {
    /// The word for the matching part in the JSON output; nil if nothing matched.
    package var name: String? {
        switch self {
        case .none: nil
        case .safetyNumber: "safetyNumber"
        case .emoji: "words"
        case .verifyCode: "code"
        }
    }
}

extension Contact.Trust {
    /// The name in the JSON output and in tables for scripts.
    package var name: String {
        switch self {
        case .unverified: "unverified"
        case .scanned: "scanned"
        case .verified: "verified"
        case .suspicious: "suspicious"
        case .revoked: "revoked"
        }
    }
}

/// The objects of Schemas/cli/session.schema.json.
extension JSONValue {
    /// Returns the session with a contact: the numbers of the sending pairing, and every pairing; null if the contact
    /// never had a session.
    package static func session(_ contact: ContactSummary) -> JSONValue {
        guard let state = contact.sessionState else { return .null }
        let current = contact.sending ?? contact.sessions.first
        let isLegacy = current?.isLegacy ?? contact.ended.first?.isLegacy ?? false
        let (sent, limit) = (Int64(current?.sent ?? 0), Int64(current?.limit ?? 0))
        return [
            "contact": .text(contact.alias), "peerId": .text(contact.contact.peerID.text),
            "profile": isLegacy ? "single" : "dual", "state": .text(state.rawValue),
            "epoch": .integer(current?.epoch ?? 0),
            "sent": .integer(sent), "received": .integer(current?.received ?? 0),
            "limit": .integer(limit), "remaining": .integer(max(0, limit - sent)),
            "endsAt": .time(current?.endsAt),
            "verified": .bool(contact.contact.trust == .verified),
            "trust": .text(contact.contact.trust.name),
            "rePairedNotVerified": .bool(contact.contact.isRepaired),
            "notComparedSinceRestore": .bool(contact.contact.isUncompared),
            "pairings": .list(contact.sessions.map { .pairing($0) } + contact.ended.map { .pairing($0) }),
        ]
    }

    /// Returns the result of `session list`.
    package static func sessions(_ contacts: [ContactSummary]) -> JSONValue {
        ["sessions": .list(contacts.map { .session($0) })]
    }

    private static func pairing(_ session: SessionSummary) -> JSONValue {
        [
            "pairingBase64": .base64(session.pairing.bytes),
            "profile": session.isLegacy ? "single" : "dual",
            "role": session.isLegacy ? .null : .role(session.role),
            "sending": .bool(session.isSending), "confirmed": .bool(session.isConfirmed),
            "noSend": .bool(session.isMuted), "restored": .bool(session.isRestored),
            "epoch": .integer(session.epoch), "state": .text(session.state.rawValue),
            "sent": .integer(session.sent), "received": .integer(session.received),
            "limit": .integer(session.limit),
            "answeredAt": .time(session.answeredAt), "endsAt": .time(session.endsAt),
            "suite": session.suite.map { .integer($0.rawValue) } ?? .null,
            "rotation": .text(session.renewal.rawValue), "previousEpochs": .integer(session.previousEpochs),
            "endedAt": nil, "endedBy": nil, "reason": nil,
            "counterUnreliable": .bool(session.isCounterUnreliable),
        ]
    }

    /// Returns an ended pairing; its counters and times were erased with its keys, so they are null.
    private static func pairing(_ ended: EndedSession) -> JSONValue {
        [
            "pairingBase64": .base64(ended.pairing.bytes),
            "profile": ended.isLegacy ? "single" : "dual",
            "role": ended.isLegacy ? .null : .role(ended.role),
            "sending": false, "confirmed": false, "noSend": false, "restored": false,
            "epoch": nil, "state": "revoked", "sent": nil, "received": nil, "limit": nil,
            "answeredAt": nil, "endsAt": nil, "suite": nil, "rotation": "none", "previousEpochs": 0,
            "endedAt": .time(ended.end.at), "endedBy": ended.end.byPeer ? "peer" : "me",
            "reason": .text(ended.end.reason.word), "counterUnreliable": false,
        ]
    }

    /// Returns the user's role in a pairing.
    package static func role(_ role: Role) -> JSONValue { role == .offerer ? "offered" : "answered" }
}

extension ContactSummary {
    /// The state of the session with this contact; nil if it never had a session.
    package var sessionState: SessionSummary.State? {
        if let state = (sending ?? sessions.first)?.state { return state }
        return contact.ended != nil || !ended.isEmpty ? .revoked : nil
    }
}
