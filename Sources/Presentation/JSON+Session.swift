package import HSIP
package import VaultKit

/// The objects of Schemas/cli/session.schema.json.
extension JSONValue {
    /// The session with a contact: the numbers of the sending pairing, and every pairing; null if there never
    /// was one.
    package static func session(_ contact: ContactSummary) -> JSONValue {
        guard let state = contact.sessionState else { return .null }
        let current = contact.sending ?? contact.sessions.first
        let isLegacy = current?.isLegacy ?? contact.ended.first?.isLegacy ?? false
        let (sent, limit) = (Int64(current?.sent ?? 0), Int64(current?.limit ?? 0))
        return [
            "contact": .text(contact.alias),
            "peerId": .text(contact.contact.peerID.text),
            "profile": isLegacy ? "single" : "dual",
            "state": .text(state.rawValue),
            "epoch": .integer(Int64(current?.epoch ?? 0)),
            "sent": .integer(sent),
            "received": .integer(Int64(current?.received ?? 0)),
            "limit": .integer(limit),
            "remaining": .integer(max(0, limit - sent)),
            "endsAt": .time(current.map { Int64($0.endsAt) }),
            "verified": .bool(contact.contact.trust == .verified),
            "trust": .text(contact.contact.trust.name),
            "rePairedNotVerified": .bool(contact.contact.isRepaired),
            "notComparedSinceRestore": .bool(contact.contact.isUncompared),
            "pairings": .list(contact.sessions.map { .pairing($0) } + contact.ended.map { .pairing($0) }),
        ]
    }

    /// `session list`.
    package static func sessions(_ contacts: [ContactSummary]) -> JSONValue {
        ["sessions": .list(contacts.map { .session($0) })]
    }

    private static func pairing(_ session: SessionSummary) -> JSONValue {
        [
            "pairingBase64": .base64(session.pairing.bytes),
            "profile": session.isLegacy ? "single" : "dual",
            "role": session.isLegacy ? .null : .role(session.role),
            "sending": .bool(session.isSending),
            "confirmed": .bool(session.isConfirmed),
            "noSend": .bool(session.isMuted),
            "restored": .bool(session.isRestored),
            "epoch": .integer(Int64(session.epoch)),
            "state": .text(session.state.rawValue),
            "sent": .integer(Int64(session.sent)),
            "received": .integer(Int64(session.received)),
            "limit": .integer(Int64(session.limit)),
            "answeredAt": .time(session.answeredAt.map { Int64($0) }),
            "endsAt": .time(Int64(session.endsAt)),
            "rotation": .text(session.renewal.rawValue),
            "previousEpochs": .integer(Int64(session.previousEpochs)),
            "endedAt": .null,
            "endedBy": .null,
            "reason": .null,
            "counterUnreliable": .bool(session.isCounterUnreliable),
        ]
    }

    /// Counters and times of an ended pairing went with its keys: they are null.
    private static func pairing(_ ended: EndedSession) -> JSONValue {
        [
            "pairingBase64": .base64(ended.pairing.bytes),
            "profile": ended.isLegacy ? "single" : "dual",
            "role": ended.isLegacy ? .null : .role(ended.role),
            "sending": false,
            "confirmed": false,
            "noSend": false,
            "restored": false,
            "epoch": .null,
            "state": "revoked",
            "sent": .null,
            "received": .null,
            "limit": .null,
            "answeredAt": .null,
            "endsAt": .null,
            "rotation": "none",
            "previousEpochs": 0,
            "endedAt": .time(Int64(ended.end.at)),
            "endedBy": ended.end.byPeer ? "peer" : "me",
            "reason": .text(ended.end.reason.word),
            "counterUnreliable": false,
        ]
    }

    /// My mark in a pairing.
    package static func role(_ role: Role) -> JSONValue { role == .offerer ? "offered" : "answered" }

    /// `session revoke`; `notice` as `code` gives it, or null.
    package static func revoked(
        _ contact: ContactSummary,
        _ reason: RevokeReason,
        notice: JSONValue,
        endedPairings: Int,
        closedOffers: Int
    ) -> JSONValue {
        [
            "contact": .text(contact.alias),
            "peerId": .text(contact.contact.peerID.text),
            "reason": .text(reason.word),
            "notice": notice,
            "endedPairings": .integer(Int64(endedPairings)),
            "closedOffers": .integer(Int64(closedOffers)),
        ]
    }
}

extension ContactSummary {
    /// The state of the session with this contact; nil if there never was one.
    package var sessionState: SessionSummary.State? {
        if let state = (sending ?? sessions.first)?.state { return state }
        return contact.ended != nil || !ended.isEmpty ? .revoked : nil
    }
}
