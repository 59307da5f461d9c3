internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// Accepts a contact's code, and asks only the necessary questions.
struct Acceptance {
    let context: Context
    let vault: any VaultService
    /// The name of a new contact; an existing name means that contact.
    var name: String?
    /// The contact that the code must come from.
    var contact: String?
    /// Whether the user read the code from the contact's own screen.
    var isInPerson = false
    /// Whether the user is asked before the code is accepted, even with `--yes`.
    var isAsked = false

    init(_ context: Context, _ vault: any VaultService) {
        self.context = context
        self.vault = vault
    }

    /// Accepts the code, after a choice if several were found.
    func take(_ found: CodeIntake.Found) async throws -> CodeOutcome {
        let preview = try choose(found.found.previews)
        let code = preview.code
        return try await context.explaining(vault, about: contact ?? preview.knownAs, code: code, name: name)
        {
            guard !preview.isOwn else { throw VaultError.hsip(.selfPairing) }
            if case .verify = code { return try await compare(code, preview, found) }
            let introduction = introduction(of: preview)
            if isAsked {
                let question = context.question("Take this code from a link?", after: introduction)
                guard try context.terminal.confirm(question, flag: nil) else {
                    throw ConsoleError.refused
                }
            } else {
                for line in introduction { context.output.say(line) }
            }
            var options = AcceptOptions(
                alias: name,
                contact: contact,
                // A code from a message was not read from the contact's screen, even if the user says so.
                isInPerson: isInPerson && found.source != .message
            )
            if name == nil { options.alias = try await nameForNew(preview) }
            if isInPerson, case .offer = code { options.reply.ttlMinutes = Terms.inPersonTTLMinutes }
            let reply = try await accept(code, preview, found, options)
            return CodeOutcome(preview: preview, source: found.source, reply: reply)
        }
    }

    /// Chooses between several codes: a person is asked, a script must name one.
    private func choose(_ codes: [CodePreview]) throws -> CodePreview {
        if codes.count == 1, let code = codes.first { return code }
        let texts = CodeTexts(context)
        guard context.terminal.isAvailable else {
            throw Failure(
                .severalCodes,
                "the text has \(codes.count) different codes",
                hint: "pass one of them alone",
                details: [
                    "codes": .list(
                        codes.map { ["kind": .text($0.code.kind.hrp), "code": .text($0.code.text)] }
                    )
                ]
            )
        }
        let titles = codes.map(texts.title)
        return codes[try context.terminal.choose("Which code?", among: titles, flag: "CODE")]
    }

    /// The claimed sender and the terms of a code, for showing before it is accepted.
    func introduction(of preview: CodePreview) -> [String] {
        let texts = CodeTexts(context)
        return [texts.title(preview)] + (texts.terms(preview.code).map { [$0] } ?? [])
    }

    /// Gives the code to the vault, and asks the questions that only a person may decide.
    private func accept(
        _ code: ExchangeCode,
        _ preview: CodePreview,
        _ found: CodeIntake.Found,
        _ options: AcceptOptions
    ) async throws -> Reply {
        do {
            return try await give(code, found, options)
        } catch let error as VaultError {
            try await askAbout(error, code, preview)
        }
        var confirmed = options
        confirmed.isConfirmed = true
        return try await give(code, found, confirmed)
    }

    /// Gives the code to the vault, with the message that carried it.
    func give(
        _ code: ExchangeCode,
        _ found: CodeIntake.Found,
        _ options: AcceptOptions
    ) async throws -> Reply {
        let reply = try await vault.take(code, of: found.found, options)
        context.hasChanged = true
        return reply
    }

    /// Asks about the two refusals that a person may lift.
    ///
    /// They are the revocation of an unknown identity, and a new identity of a contact who is known only by an old key.
    private func askAbout(_ error: VaultError, _ code: ExchangeCode, _ preview: CodePreview) async throws {
        switch error {
        case .hsip(.unknownContact):
            guard code.kind == .revoke else { throw error }
            let whose = preview.peerID?.text ?? ""
            try confirm(
                "This notice ends the identity \(whose), which is not one of your contacts. Keep the notice?"
            )
        case .hsip(.identityChanged(let old, let new)):
            guard let name = try await vault(Operations.aliasOf, old),
                try await vault(Operations.contact, name).contact.identityKey == nil
            else { throw error }
            let shown = context.output.display.cell(name)
            let line = "\(shown) is known here by an imported key only; this code is from \(new.text)."
            try confirm(
                context.question("Is that the same person? They would begin unverified.", after: [line])
            )
        default: throw error
        }
    }

    private func confirm(_ question: String) throws {
        guard try context.agrees(question) else { throw ConsoleError.refused }
    }
}
