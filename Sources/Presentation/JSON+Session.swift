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

    /// `session list`.
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

    /// Counters and times of an ended pairing went with its keys: they are null.
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

    /// My mark in a pairing.
    package static func role(_ role: Role) -> JSONValue { role == .offerer ? "offered" : "answered" }
}

extension ContactSummary {
    /// The state of the session with this contact; nil if there never was one.
    package var sessionState: SessionSummary.State? {
        if let state = (sending ?? sessions.first)?.state { return state }
        return contact.ended != nil || !ended.isEmpty ? .revoked : nil
    }
}
