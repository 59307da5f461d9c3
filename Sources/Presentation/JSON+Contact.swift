package import HSIP
package import VaultKit

/// The objects of Schemas/cli/contact.schema.json and identity.schema.json.
extension JSONValue {
    /// One's own identity (Schemas/cli/identity.schema.json).
    package static func identity(_ identity: IdentitySummary) -> JSONValue {
        [
            "name": .text(identity.name), "peerId": .text(identity.peerID.text),
            "peerIdBase64": .base64(identity.peerID.bytes), "publicKeyBase64": .base64(identity.publicKey),
            "sessionId": .text(identity.peerID.sessionID), "createdAt": .time(identity.created),
            // The notice that ends the identity is printed without a trace in the vault.
            "revokedAt": nil,
        ]
    }

    /// A contact.
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

    /// `contact list`.
    package static func contacts(_ contacts: [ContactSummary]) -> JSONValue {
        ["contacts": .list(contacts.map { .contact($0) })]
    }

    /// `contact rm`; `notice` as `code` gives it, or null.
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
    /// How long `contact restore` is promised to work: the 30 days of the trash.
    fileprivate var restorableUntil: Int64? {
        trashedAt.map { Int64(TrashPolicy.end(removedAt: $0)) }
    }
}

extension Contact.Verification {
    /// What matched, as the JSON output spells it; nil for nothing.
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
