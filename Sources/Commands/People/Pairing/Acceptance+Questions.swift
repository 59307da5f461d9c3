internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

extension Acceptance {
    /// The name of a new contact.
    ///
    /// A person is asked, and offered another name if the usual name is in use. A script gets the usual name, or
    /// `nameCollision`.
    func nameForNew(_ preview: CodePreview) async throws -> String? {
        guard contact == nil, preview.knownAs == nil, preview.mayMakeContact,
            let suggestion = preview.suggestion, let free = preview.freeAlias,
            context.terminal.isAvailable, !context.globals.saysYes
        else { return nil }
        let question = context.question(
            "Save as",
            after: introduction(of: preview),
            isSaid: true
        )
        if free != suggestion { _ = try await isTaken(suggestion, by: preview) }
        while true {
            let answer = try context.terminal.ask(question, default: free, flag: "--as NAME")
            guard Alias.isValid(answer) else {
                context.output.say("A name has 1 to 64 bytes, no leading dash and no invisible characters.")
                continue
            }
            if answer == free { return answer }
            guard try await isTaken(answer, by: preview) else { return answer }
        }
    }

    /// Whether another contact has the name; if so, prints that.
    private func isTaken(_ name: String, by preview: CodePreview) async throws -> Bool {
        let existing: ContactSummary
        do {
            existing = try await vault(Operations.contact, name)
        } catch VaultError.hsip(.unknownContact) {
            return false
        }
        let shown = context.output.display.cell(name)
        context.output.say("\(shown) is another contact already: \(existing.contact.peerID.text)")
        context.output.say("this one is \(preview.peerID?.text ?? "")")
        return true
    }
}

extension Acceptance {
    /// Compares a VERIFY code.
    ///
    /// The code counts only if a person says where they read it; no option can say that.
    func compare(
        _ code: ExchangeCode,
        _ preview: CodePreview,
        _ found: CodeIntake.Found
    ) async throws -> CodeOutcome {
        let source = found.source
        var reply = try await give(code, found, AcceptOptions(contact: contact))
        var isCounted = false
        if let whose = reply.contact?.alias, source == .camera || source == .image || source == .prompt {
            let shown = context.output.display.cell(whose)
            guard context.terminal.isAvailable else {
                throw Failure(
                    .inputNeeded,
                    "the VERIFY of \(shown) matches, but hsip cannot ask without a terminal whether you read it from their own screen; trust is unchanged"
                )
            }
            let question = context.question(
                "Read from \(shown)'s own screen?",
                after: ["It matches \(shown)."]
            )
            if try context.terminal.confirm(question, flag: nil) {
                reply = try await vault(
                    Operations.accept,
                    code,
                    AcceptOptions(contact: whose, isInPerson: true)
                )
                isCounted = true
            }
        }
        return CodeOutcome(
            preview: preview,
            source: source,
            reply: reply,
            comparison: .init(matches: true, isCounted: isCounted, source: source)
        )
    }
}
