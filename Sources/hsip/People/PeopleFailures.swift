internal import Console
internal import HSIP
internal import SafeText
internal import VaultKit

/// What a refusal of the vault means for the person and the contact it is about: names, numbers, and the code
/// at hand.
struct PeopleFailures {
    let context: Context
    let vault: any VaultService
    /// The contact that the act was about.
    var alias: String?
    /// The code that was being taken.
    var code: ExchangeCode?
    /// The name that was asked for somebody new.
    var wantedName: String?

    /// The refusal in full.
    ///
    /// What cannot be found out about it is left out.
    func explain(_ error: VaultError) async -> Failure {
        var failure = Failures.explain(error)
        failure.hint = failure.hint.map { hint in
            alias.map { hint.replacingFirst("NAME", with: ShellWord.quoted($0)) } ?? hint
        }
        if case .hsip(let reason) = error { await add(reason, to: &failure) }
        return failure
    }

    private func add(_ reason: HSIPError, to failure: inout Failure) async {
        failure.details = await details.of(reason)
        switch reason {
        case .rekeyRequired(let code): await addRenewal(code, to: &failure)
        case .restored(let code): failure.toSend = code
        case .revoked: await addEnd(to: &failure)
        case .noSession:
            if let contact = await summary()?.contact, contact.identityKey == nil {
                let name = display.cell(contact.alias)
                failure.message =
                    "\(name) is known by an imported key only, which cannot be renewed or compared"
            }
        case .identityChanged(let old, let new): await addChange(old, new, to: &failure)
        case .identityKnown(let peer):
            if let name = await details.name(of: peer) ?? alias {
                failure.message = "this identity is your contact \(display.cell(name))"
            }
        case .nameCollision(let existing, let new): await addCollision(existing, new, to: &failure)
        default: break
        }
    }

    private var details: PeopleDetails {
        PeopleDetails(vault, about: alias, code: code, wantedName: wantedName, now: context.now)
    }

    private var display: Display { context.output.display }

    private func summary() async -> ContactSummary? {
        guard let alias else { return nil }
        return try? await vault.contact(alias)
    }

    private func addRenewal(_ code: String?, to failure: inout Failure) async {
        failure.toSend = code
        guard let session = await summary()?.sending else { return }
        let name = display.cell(session.alias)
        let count = "\(session.sent) of \(session.limit) messages sent to \(name)"
        guard !session.isConfirmed else {
            failure.message = "\(count); renew first"
            return
        }
        failure.message = "\(count), and nothing of theirs has arrived: they probably never got your ANSWER"
        failure.explanation = [
            code == nil
                ? "It is too late for that ANSWER; pair again." : "Send it again, and ask for a sign of life."
        ]
    }

    /// Who ended it, when, and why.
    private func addEnd(to failure: inout Failure) async {
        guard let (end, name) = await details.ending() else { return }
        let who = end.byPeer ? name.map { display.cell($0) } ?? "they" : "you"
        let reason = CodeTexts.words(for: end.reason).map { " (\($0))" } ?? ""
        let isIdentity = await summary()?.contact.trust == .revoked
        let what = isIdentity ? "that identity" : "the session"
        let when = Times.relative(Int64(end.at), now: context.now)
        failure.message = "\(who) ended \(what) \(when == "now" ? "just now" : when)\(reason)"
        failure.hint = isIdentity ? nil : name.map { "hsip pair \(ShellWord.quoted($0))" }
    }

    /// Both safety numbers, and how to find out which is right.
    ///
    /// No command that can be pasted blindly.
    private func addChange(_ old: PeerID, _ new: PeerID, to failure: inout Failure) async {
        guard let name = await details.name(of: old) ?? alias else { return }
        let (pinned, offered) = await details.numbers(of: name)
        failure.message = "\(display.cell(name)) came with ANOTHER key; nothing was changed"
        failure.explanation = [
            "trusted  \(old.text)  \(pinned ?? "")", "offered  \(new.text)  \(offered ?? "")",
            "A new device, or someone in between. Ask them, by a way you know, for the safety number they see.",
        ]
        failure.hint =
            "hsip contact trust-new-key \(ShellWord.quoted(name))  asks for the number they read to you"
    }

    private func addCollision(_ existing: PeerID, _ new: PeerID, to failure: inout Failure) async {
        guard let name = await details.name(of: existing) ?? wantedName else { return }
        let proposal = await NewName.free(like: name, in: vault)
        failure.message = "the name \(display.cell(name)) belongs to another contact"
        failure.explanation = ["\(display.cell(name))  \(existing.text)", "new  \(new.text)"]
        let flag = code == nil ? "--alias" : "--as"
        failure.hint = "\(flag) \(ShellWord.quoted(proposal))"
    }
}

extension Context {
    /// Does something with the vault, and explains its refusals with the names of the people concerned.
    func explaining<R>(
        _ vault: any VaultService,
        about alias: String? = nil,
        code: ExchangeCode? = nil,
        name: String? = nil,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch let error as VaultError {
            let failures = PeopleFailures(
                context: self,
                vault: vault,
                alias: alias,
                code: code,
                wantedName: name
            )
            throw await failures.explain(error)
        }
    }
}

extension String {
    /// The text with the first `word` in it replaced.
    fileprivate func replacingFirst(_ word: String, with other: String) -> String {
        let parts = split(separator: word, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[0] + other + parts[1] : self
    }
}
