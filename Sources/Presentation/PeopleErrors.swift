internal import HSIP
package import Text
package import VaultKit

/// The texts of errors about contacts: with names, numbers, and the code that the vault already has.
package struct PeopleErrors: Sendable {
    private let details: PeopleDetails
    private let display: Display

    package init(_ details: PeopleDetails, _ display: Display) {
        (self.details, self.display) = (details, display)
    }

    /// Returns the full text of an error.
    ///
    /// Details that cannot be determined are left out.
    package func explain(_ error: VaultError) async -> Failure {
        var text = error.explanation
        text.hint = text.hint.map { hint in
            details.alias.map { hint.replacingFirst("NAME", with: ShellWord.quoted($0)) } ?? hint
        }
        if case .hsip(let reason) = error { await add(reason, to: &text) }
        return text
    }

    private func add(_ reason: HSIPError, to text: inout Failure) async {
        text.details = await details.of(reason)
        switch reason {
        case .rekeyRequired(let code): await addRenewal(code, to: &text)
        case .restored(let code): text.toSend = code
        case .revoked: await addEnd(to: &text)
        case .noSession:
            if let contact = await summary()?.contact, contact.identityKey == nil {
                let name = display.cell(contact.alias)
                text.message =
                    "\(name) has only an imported key, which cannot be renewed or verified"
            }
        case .identityChanged(let old, let new): await addChange(old, new, to: &text)
        case .identityKnown(let peer):
            if let name = await details.name(of: peer) ?? details.alias {
                text.message = "this identity is your contact \(display.cell(name))"
            }
        case .suiteDowngrade(let peer?): await addDowngrade(peer, to: &text)
        case .nameCollision(let existing, let new): await addCollision(existing, new, to: &text)
        default: break
        }
    }

    private func summary() async -> ContactSummary? {
        guard let alias = details.alias else { return nil }
        return try? await details.vault(Operations.contact, alias)
    }

    private func addRenewal(_ code: String?, to text: inout Failure) async {
        text.toSend = code
        guard let session = await summary()?.sending else { return }
        let name = display.cell(session.alias)
        let count = "\(session.sent) of \(session.limit) messages sent to \(name)"
        guard !session.isConfirmed else {
            text.message = "\(count); renew first"
            return
        }
        text.message = "\(count), and nothing from \(name) has arrived: your ANSWER was probably lost"
        text.lines = [
            code == nil
                ? "That ANSWER has expired; pair again." : "Send the ANSWER again, and ask for a reply."
        ]
    }

    /// Adds who ended the session, when, and why.
    private func addEnd(to text: inout Failure) async {
        guard let (end, name) = await details.ending() else { return }
        let who = end.byPeer ? name.map { display.cell($0) } ?? "the contact" : "you"
        let reason = end.reason.phrase.map { " (\($0))" } ?? ""
        let isIdentity = await summary()?.contact.trust == .revoked
        let what = isIdentity ? "the identity" : "the session"
        let when = Times.relative(Int64(end.at), now: details.now)
        text.message = "\(who) ended \(what) \(when == "now" ? "just now" : when)\(reason)"
        text.hint = isIdentity ? nil : name.map { "hsip pair \(ShellWord.quoted($0))" }
    }

    /// Names the usual cause first: unpinning the suite helps only with an older program.
    private func addDowngrade(_ peer: PeerID, to text: inout Failure) async {
        guard let alias = await details.name(of: peer) ?? details.alias else { return }
        let (name, word) = (display.cell(alias), ShellWord.quoted(alias))
        if details.code == nil {
            text.message = "\(name) has keys of suite 02 already; hsip makes no weaker code"
            text.hint = "hsip pair \(word)"
        } else {
            text.message = "this code has weaker keys (suite 01) than \(name) had before; nothing changed"
            text.hint = nil
        }
        text.lines = [
            "Ask \(name) for a code made without --in-person and --suite 01.",
            "If \(name) says, over a channel you trust, that the program is too old for that:",
            "hsip contact set \(word) --suite 01",
        ]
    }

    /// Adds both safety numbers, and how to find the correct one.
    ///
    /// It adds no command that could be pasted without thought.
    private func addChange(_ old: PeerID, _ new: PeerID, to text: inout Failure) async {
        guard let name = await details.name(of: old) ?? details.alias else { return }
        let (pinned, offered) = await details.numbers(of: name)
        text.message = "\(display.cell(name)) now has ANOTHER key; nothing changed"
        text.lines = [
            "trusted  \(old.text)  \(pinned ?? "")", "offered  \(new.text)  \(offered ?? "")",
            "The contact has a new device, or someone intercepts your messages.",
            "Ask the contact, over a channel you trust, for the safety number on their screen.",
        ]
        text.hint =
            "hsip contact replace-key \(ShellWord.quoted(name))  asks for the number the contact reads to you"
    }

    private func addCollision(_ existing: PeerID, _ new: PeerID, to text: inout Failure) async {
        guard let name = await details.name(of: existing) ?? details.wantedName else { return }
        let proposal = await details.freeAlias(like: name)
        text.message = "the name \(display.cell(name)) belongs to another contact"
        text.lines = ["\(display.cell(name))  \(existing.text)", "new  \(new.text)"]
        let flag = details.code == nil ? "--alias" : "--as"
        text.hint = "\(flag) \(ShellWord.quoted(proposal))"
    }
}

extension String {
    /// Returns the text with the first occurrence of `word` replaced.
    fileprivate func replacingFirst(_ word: String, with other: String) -> String {
        let parts = split(separator: word, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[0] + other + parts[1] : self
    }
}
