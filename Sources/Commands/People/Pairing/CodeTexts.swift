internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

/// The sentences about codes: whose they are, how long they are valid, and who accepts them.
struct CodeTexts {
    let display: Display
    let now: Int64

    init(_ context: Context) {
        display = context.output.display
        now = context.now
    }

    /// The text below one's own code.
    func below(_ code: ExchangeCode, for contact: String?, from me: String = "") -> String {
        let them = contact.map { display.cell($0) }
        let end = code.header.map { "until \(Times.moment(Int64($0.expiry), now: now))" } ?? ""
        switch code {
        case .offer:
            guard let them else {
                let name = me.isEmpty ? "" : " They see the name \(display.cell(me))."
                return "Send this code to one person. They run hsip accept. Valid \(end).\(name)"
            }
            return "Send this code to \(them). They run hsip accept. Valid \(end)."
        case .answer: return "Send this answer to \(them ?? "them"). They run hsip accept. Valid \(end)."
        case .rotate:
            return
                "Send these new keys to \(them ?? "them"). They run hsip accept and send back its reply. Valid \(end)."
        case .accept: return "Send this reply to \(them ?? "them"). They run hsip accept. Valid \(end)."
        case .revoke: return "Send this notice to \(them ?? "them"). They run hsip accept. It never expires."
        case .verify: return "Let them scan this from your screen: a VERIFY that was sent proves nothing."
        }
    }

    /// One line that describes a contact's code, before the code is accepted.
    func title(_ preview: CodePreview) -> String {
        let code = preview.code
        var whose = ""
        if let name = preview.name, !name.isEmpty { whose = " from \(display.name(name))" }
        if let alias = preview.knownAs { whose = " from \(display.cell(alias))" }
        if let peerID = preview.peerID { whose += (whose.isEmpty ? " from " : "  ") + peerID.text }
        let made = code.header.map { ", made \(age(of: Int64($0.issued)))" } ?? ""
        return "\(Self.kindName(code.kind))\(whose)\(made)"
    }

    private func age(of issued: Int64) -> String {
        issued > now + 60 ? "in the future" : Times.relative(issued, now: now)
    }

    /// The terms of a code, as in `7 days, 1000 messages each way`; nil for codes that do not make keys.
    func terms(_ code: ExchangeCode) -> String? {
        guard let header = code.header, header.limit > 0 else { return nil }
        let life = Durations.rough(Int64(header.lifeHours) * 3_600)
        return "\(life), \(header.limit) message\(header.limit == 1 ? "" : "s") each way."
    }

    static func kindName(_ kind: CodeKind) -> String {
        switch kind {
        case .offer: "Offer"
        case .answer: "Answer"
        case .rotate: "New keys (ROTATE)"
        case .accept: "Reply for new keys (ACCEPT)"
        case .revoke: "The end of a session or identity (REVOKE)"
        case .verify: "Comparison (VERIFY)"
        }
    }
}
