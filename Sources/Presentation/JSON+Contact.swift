package import HSIP
package import VaultKit

/// The objects of Schemas/cli/contact.schema.json.
extension JSONValue {
    /// A contact.
    package static func contact(_ summary: ContactSummary) -> JSONValue {
        let contact = summary.contact
        return [
            "contact": .text(contact.alias),
            "peerId": .text(contact.peerID.text),
            "peerIdBase64": .base64(contact.peerID.bytes),
            "publicKeyBase64": contact.identityKey.map { .base64($0) } ?? .null,
            "sentName": .optional(contact.sentName.isEmpty ? nil : contact.sentName),
            "trust": .text(contact.trust.name),
            "verifiedAt": .time(contact.verifiedAt.map { Int64($0) }),
            "verifiedBy": .optional(contact.verification.name),
            "rePairedNotVerified": .bool(contact.isRepaired),
            "notComparedSinceRestore": .bool(contact.isUncompared),
            "requireVerified": .bool(contact.requiresVerification),
            "note": .optional(contact.note.isEmpty ? nil : contact.note),
            "createdAt": .time(summary.created.map { Int64($0) }),
            "removedAt": .time(contact.trashedAt.map { Int64($0) }),
            "restorableUntilAt": .time(contact.restorableUntil),
            "session": .session(summary),
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
            "contact": .text(summary.alias),
            "peerId": .text(summary.contact.peerID.text),
            "notice": notice,
            "endedPairings": .integer(Int64(endedPairings)),
            "closedOffers": .integer(Int64(closedOffers)),
            "restorableUntilAt": .time(summary.contact.restorableUntil),
        ]
    }

    /// `contact replace-key`; where the number was only compared, nothing is replaced.
    package static func repinned(
        _ now: ContactSummary,
        old: ContactSummary,
        number: String,
        isReplaced: Bool
    ) -> JSONValue {
        [
            "contact": .text(now.alias),
            "replaced": .bool(isReplaced),
            "oldPeerId": .text(old.contact.peerID.text),
            "newPeerId": isReplaced ? .text(now.contact.peerID.text) : .null,
            "safetyNumber": .text(number),
            "trust": .text(now.contact.trust.name),
            "endedPairings": .integer(Int64(isReplaced ? old.sessions.count : 0)),
        ]
    }
}

extension Contact {
    /// How long `contact restore` is promised to work: the 30 days of the trash.
    package var restorableUntil: Int64? {
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
