internal import Console
internal import HSIP
internal import VaultKit

extension JSONValue {
    /// `verify`; with one form chosen, the others are null.
    static func verification(
        _ comparison: Comparison,
        contact: ContactSummary,
        form: VerificationForm?,
        outcome: TakenCode.Comparison?
    ) -> JSONValue {
        let words = form == nil || form == .words ? comparison.words : []
        let pairs = words.map {
            JSONValue.object([JSONMember("emoji", .text($0.emoji)), JSONMember("word", .text($0.word))])
        }
        return [
            "contact": .text(contact.alias),
            "peerId": .text(contact.contact.peerID.text),
            "trust": .text(contact.contact.trust.name),
            "verifiedAt": .time(contact.contact.verifiedAt.map { Int64($0) }),
            "verifiedBy": .optional(contact.contact.verification.name),
            "rePairedNotVerified": .bool(contact.contact.isRepaired),
            "notComparedSinceRestore": .bool(contact.contact.isUncompared),
            "code": form == nil || form == .code ? .text(comparison.code.text) : .null,
            "safetyNumber": form == nil || form == .number ? .text(comparison.number.text) : .null,
            "role": words.isEmpty ? .null : comparison.role.map { .role($0) } ?? .null,
            "words": words.isEmpty ? .null : .list(pairs),
            "comparison": outcome.map { .comparison($0) } ?? .null,
        ]
    }
}
