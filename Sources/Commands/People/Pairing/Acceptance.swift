internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// Takes a peer's code, and asks only what has to be asked.
struct Acceptance {
    let context: Context
    let vault: any VaultService
    /// The name of a new contact; the name of an existing contact means that contact.
    var name: String?
    /// It must come from this contact.
    var contact: String?
    /// The user says: read from their own screen.
    var isInPerson = false
    /// The user agrees before anything is taken, even with `--yes`.
    var isAsked = false

    init(_ context: Context, _ vault: any VaultService) {
        self.context = context
        self.vault = vault
    }

    /// Takes the one code that was meant.
    func take(_ found: CodeIntake.Found) async throws -> TakenCode {
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
                // What came in a message was not read from the peer's screen, even if the user says so.
                isInPerson: isInPerson && found.source != .message
            )
            if name == nil { options.alias = try await nameForNew(preview) }
            if isInPerson, case .offer = code { options.reply.ttlMinutes = Terms.inPersonTTLMinutes }
            let reply = try await accept(code, preview, found, options)
            return TakenCode(preview: preview, source: found.source, reply: reply)
        }
    }

    /// Two different codes: a person says which, a script names one.
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

    /// Who it claims to be from, before anything is taken.
    func introduction(of preview: CodePreview) -> [String] {
        let texts = CodeTexts(context)
        return [texts.title(preview)] + (texts.terms(preview.code).map { [$0] } ?? [])
    }

    /// The vault's answer; what only a person may decide is asked here.
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

    /// Gives the code to the vault, together with the message that it came in.
    func give(
        _ code: ExchangeCode,
        _ found: CodeIntake.Found,
        _ options: AcceptOptions
    ) async throws -> Reply {
        let reply = try await vault.take(code, of: found.found, options)
        context.hasChanged = true
        return reply
    }

    /// The two refusals that a person may lift: the end of an unknown identity, and a person who is known by an
    /// old key only and comes with a new identity.
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
