internal import CommandKit
internal import Console
internal import HSIP
internal import SafeText
internal import VaultKit

extension Acceptance {
    /// The name of a new contact.
    ///
    /// A person is asked, and offered another name if the usual one is taken; a script gets the usual one, or
    /// `nameCollision`.
    func nameForNew(_ preview: CodePreview) async throws -> String? {
        guard contact == nil, preview.knownAs == nil, let suggestion = preview.suggestion,
            context.terminal.isAvailable, !context.globals.saysYes, try await makesContact(preview.code)
        else { return nil }
        let taken = await NewName.taken(in: vault)
        let question = context.question(
            "Save as",
            after: introduction(of: preview),
            isSaid: true
        )
        var proposal = suggestion
        if taken.contains(suggestion) {
            try await tellTaken(suggestion, by: preview)
            proposal = await NewName.free(like: suggestion, in: vault)
        }
        while true {
            let answer = try context.terminal.ask(question, default: proposal, flag: "--as NAME")
            guard Alias.isValid(answer) else {
                context.output.say("A name has 1 to 64 bytes, no leading dash and no invisible characters.")
                continue
            }
            guard taken.contains(answer) else { return answer }
            try await tellTaken(answer, by: preview)
        }
    }

    private func tellTaken(_ name: String, by preview: CodePreview) async throws {
        let shown = context.output.display.cell(name)
        let existing = try await vault(Operations.contact, name).contact.peerID.text
        context.output.say("\(shown) is another contact already: \(existing)")
        context.output.say("this one is \(preview.peerID?.text ?? "")")
    }

    /// An offer, or an answer to an open offer of mine that has no recipient.
    private func makesContact(_ code: ExchangeCode) async throws -> Bool {
        switch code {
        case .offer: return true
        case .answer(let answer):
            let open = try await vault.openOffers().first { $0.code.ref == answer.offerRef }
            return open.map { $0.contact == nil } ?? false
        case .rotate, .accept, .revoke, .verify: return false
        }
    }
}
