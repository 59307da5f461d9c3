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
        switch error {
        case .notVerified:
            // Not an error of the protocol: a demand of this vault's owner.
            failure.code = "denied"
        case .hsip(let reason): await add(reason, to: &failure)
        default: break
        }
        return failure
    }

    private func add(_ reason: HSIPError, to failure: inout Failure) async {
        switch reason {
        case .rekeyRequired(let code): await addRenewal(code, to: &failure)
        case .restored(let code):
            failure.details = ["code": .optional(code)]
            failure.toSend = code
        case .revoked: await addEnd(to: &failure)
        case .noSession:
            if let contact = await summary()?.contact, contact.identityKey == nil {
                let name = display.cell(contact.alias)
                failure.message =
                    "\(name) is known by an imported key only, which cannot be renewed or compared"
            }
        case .identityChanged(let old, let new): await addChange(old, new, to: &failure)
        case .identityKnown(let peer):
            let name = await name(of: peer) ?? alias
            failure.details = ["contact": .optional(name)]
            if let name { failure.message = "this identity is your contact \(display.cell(name))" }
        case .nameCollision(let existing, let new): await addCollision(existing, new, to: &failure)
        case .offerAlreadyUsed(let peer):
            failure.details = ["sameIdentity": .bool(peer == nil), "peerId": .optional(peer?.text)]
        case .clockSuspect:
            let mark = (try? await vault.clockMark().mark) ?? 0
            failure.details = ["behindSeconds": .integer(max(0, Int64(mark) - context.now))]
        case .replayed: failure.details = ["firstReadAt": .null]
        case .ambiguousName:
            let same = ((try? await vault.contacts()) ?? []).filter { $0.alias == alias }
            failure.details = [
                "name": .optional(alias),
                "peerIds": .list(same.map { .text($0.contact.peerID.text) }),
            ]
        default: break
        }
    }

    private var display: Display { context.output.display }

    private func name(of peer: PeerID) async -> String? {
        (try? await vault.alias(of: peer)) ?? nil
    }

    private func summary() async -> ContactSummary? {
        guard let alias else { return nil }
        return try? await vault.contact(alias)
    }

    private func addRenewal(_ code: String?, to failure: inout Failure) async {
        failure.details = ["code": .optional(code)]
        failure.toSend = code
        if let session = await summary()?.sending {
            failure.message =
                "\(session.sent) of \(session.limit) messages sent to \(display.cell(session.alias)); renew first"
        }
    }

    /// Who ended it, when, and why.
    private func addEnd(to failure: inout Failure) async {
        var end: Contact.End?
        var name = alias
        if let alias { end = (try? await vault.ending(of: alias)) ?? nil }
        if end == nil, let code, let found = (try? await vault.ending(namedBy: code)) ?? nil {
            end = found.end.end
            name = found.alias
        }
        guard let end else { return }
        failure.details = [
            "endedBy": end.byPeer ? "peer" : "me", "endedAt": .time(Int64(end.at)),
            "reason": .text(end.reason.word),
        ]
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
        guard let name = await name(of: old) ?? alias else { return }
        let pinned = try? await vault.comparison(with: name).number.text
        let offered: String? =
            if let code { try? await vault.safetyNumber(claimedBy: code).text } else { nil }
        failure.details = [
            "contact": .text(name), "oldPeerId": .text(old.text), "newPeerId": .text(new.text),
            "oldSafetyNumber": .optional(pinned), "newSafetyNumber": .optional(offered),
        ]
        failure.message = "\(display.cell(name)) came with ANOTHER key; nothing was changed"
        failure.explanation = [
            "trusted  \(old.text)  \(pinned ?? "")", "offered  \(new.text)  \(offered ?? "")",
            "A new device, or somebody in between. Ask them, by a way you know, for the safety number they see.",
        ]
        failure.hint =
            "hsip contact trust-new-key \(ShellWord.quoted(name))  asks for the number they gave you"
    }

    private func addCollision(_ existing: PeerID, _ new: PeerID, to failure: inout Failure) async {
        guard let name = await name(of: existing) ?? wantedName else { return }
        let proposal = await NewName.free(like: name, in: vault)
        failure.details = [
            "name": .text(name), "existingPeerId": .text(existing.text), "newPeerId": .text(new.text),
            "proposal": .text(proposal),
        ]
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
