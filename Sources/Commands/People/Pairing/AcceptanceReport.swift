internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

/// Reports the result of accepting a code, and shows the reply if one is needed.
struct AcceptanceReport {
    let context: Context
    let delivery: CodeDelivery

    /// Prints the sentence, the warnings and the reply; returns the `data` of the JSON.
    ///
    /// The reply comes last, so that its picture stays on a small screen.
    func tell(_ taken: CodeOutcome) throws -> JSONValue {
        let alias = taken.reply.contact?.alias
        if let sentence = sentence(about: taken) { context.output.say(sentence) }
        context.output.tell(taken.reply.notices, about: alias, taken.reply.contact?.contact.peerID)
        tellTrust(taken)
        var reply = JSONValue.null
        if let code = taken.reply.code {
            reply = try delivery.hand(code, to: alias, isCached: taken.reply.isCached)
        }
        // The contact is not looked up by name again: another program may have given the name away meanwhile.
        return .accepted(taken, contact: taken.reply.contact, reply: reply)
    }

    private func sentence(about taken: CodeOutcome) -> String? {
        let display = context.output.display
        let name = taken.reply.contact.map { display.cell($0.alias) } ?? "them"
        let session = taken.reply.session
        switch taken.outcome {
        case .answered:
            return
                "Paired with \(name). You can already write; they can read it after accepting the answer."
        case .paired:
            return
                "Paired with \(name). You may write: hsip encrypt \(ShellWord.quoted(taken.reply.contact?.alias ?? "NAME"))"
        case .prepared: return "New keys for \(name) are ready."
        case .rotated:
            guard let session else { return "New keys for \(name) are in use." }
            let end = Times.moment(Int64(session.endsAt), now: context.now)
            return "New keys for \(name) are in use: \(session.limit) messages each way, until \(end)."
        case .handedBack:
            return taken.reply.code == nil
                ? "Nothing changed: your own renewal with \(name) is newer."
                : "Nothing changed: your own code is still valid. Send it to \(name)."
        case .ended, .identityRevoked: return ending(of: taken, name)
        case .compared: return comparison(of: taken, name)
        case .unchanged: return nil
        }
    }

    private func ending(of taken: CodeOutcome, _ name: String) -> String {
        guard case .revoke(let notice) = taken.code else { return "" }
        let reason = notice.reason.phrase.map { " (\($0))" } ?? ""
        if taken.outcome == .ended { return "\(name) ended the session\(reason). Its keys are wiped." }
        let whose = taken.reply.contact == nil ? taken.preview.peerID?.text ?? "" : "\(name)'s identity"
        return "\(whose) was ended by its owner\(reason). hsip accepts no more codes from it."
    }

    private func comparison(of taken: CodeOutcome, _ name: String) -> String? {
        guard let comparison = taken.comparison else { return nil }
        if comparison.isCounted { return "\(name) is verified." }
        return comparison.source == .camera || comparison.source == .image
            ? "It matches \(name); trust is unchanged."
            : "It matches \(name), but this proves nothing: it counts only when you read it from their own screen."
    }

    /// Reports that a new or newly paired contact is not verified yet; a suspicious contact is reported every time.
    private func tellTrust(_ taken: CodeOutcome) {
        guard let contact = taken.reply.contact?.contact else { return }
        if contact.trust == .suspicious, !taken.reply.notices.contains(.suspicious) {
            context.output.tell([.suspicious], about: contact.alias)
        }
        guard taken.outcome == .answered || taken.outcome == .paired, contact.trust != .verified,
            !taken.reply.notices.contains(.repairedNotReverified)
        else { return }
        let message = "not verified yet: hsip verify \(ShellWord.quoted(contact.alias))"
        context.output.note(Warning("notVerified", message, fields: ["contact": .text(contact.alias)]))
    }
}
