internal import CommandKit
internal import Console
internal import HSIP
internal import SafeText

/// The sentences about codes: whose they are, how long they are valid, who takes them.
struct CodeTexts {
    let display: Display
    let now: Int64

    init(_ context: Context) {
        display = context.output.display
        now = context.now
    }

    /// What stands below a code of mine.
    func below(_ code: ExchangeCode, for contact: String?, from me: String = "") -> String {
        let them = contact.map { display.cell($0) }
        let end = code.header.map { "until \(Times.moment(Int64($0.expiry), now: now))" } ?? ""
        switch code {
        case .offer:
            let whose = me.isEmpty ? "Your offer" : "Your offer, \(display.cell(me))"
            if let them { return "Your offer for \(them), valid \(end). They take it with: hsip accept" }
            return "\(whose), valid \(end). It works once, for one person, who takes it with: hsip accept"
        case .answer: return "Your answer for \(them ?? "them"), valid \(end). They take it with: hsip accept"
        case .rotate:
            return
                "New keys for \(them ?? "them"), valid \(end). They take this with hsip accept, and send back what it shows."
        case .accept: return "The reply for \(them ?? "them"), valid \(end). They take it with: hsip accept"
        case .revoke:
            return "Send this to \(them ?? "them"). They take it with hsip accept. It never expires."
        case .verify: return "They read this from your own screen: it proves nothing when it is sent."
        }
    }

    /// One line that says what a peer's code is, before it is taken.
    func title(_ code: ExchangeCode, peerID: PeerID?, name: String?, knownAs: String?) -> String {
        var whose = ""
        if let knownAs { whose = " from \(display.cell(knownAs))" }
        if let name, !name.isEmpty, knownAs == nil { whose = " from \(display.name(name))" }
        if let peerID { whose += (whose.isEmpty ? " from " : "  ") + peerID.text }
        let made = code.header.map { ", made \(age(of: Int64($0.issued)))" } ?? ""
        return "\(Self.kindName(code.kind))\(whose)\(made)"
    }

    private func age(of issued: Int64) -> String {
        issued > now + 60 ? "in the future" : Times.relative(issued, now: now)
    }

    /// `7 days, 1000 messages each way`; nil for codes that make no keys.
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
