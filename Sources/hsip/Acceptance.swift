internal import Console
internal import HSIP
internal import VaultKit

/// Takes somebody's code: asks what has to be asked, and only that.
struct Acceptance {
    let context: Context
    let vault: Vault
    /// What to call somebody new; the name of an existing contact means that contact.
    var name: String?
    /// It must come from this contact.
    var contact: String?
    /// The user says: read from their own screen.
    var isInPerson = false

    init(_ context: Context, _ vault: Vault) {
        self.context = context
        self.vault = vault
    }

    /// Takes the one code that was meant.
    func take(_ found: CodeIntake.Found) async throws -> TakenCode {
        let code = try await choose(found.codes)
        let preview = try await vault.preview(code)
        return try await context.explaining(vault, about: contact ?? preview.knownAs, code: code, name: name) {
            guard !preview.isOwn else { throw VaultError.hsip(.selfPairing) }
            if case .verify = code { return try await compare(code, preview, found.source) }
            introduce(preview)
            var options = AcceptOptions(alias: name, contact: contact, isInPerson: isInPerson)
            if name == nil { options.alias = try await nameForNew(preview) }
            if isInPerson, case .offer = code { options.reply.ttlMinutes = Terms.inPersonTTLMinutes }
            let known = await NewName.taken(in: vault)
            let reply = try await accept(code, preview, options)
            let alias = reply.contact?.alias
            return TakenCode(
                code: code,
                preview: preview,
                source: found.source,
                reply: reply,
                isNew: alias.map { !known.contains($0) } ?? false
            )
        }
    }

    /// Two different codes: a person says which, a script names one.
    private func choose(_ codes: [ExchangeCode]) async throws -> ExchangeCode {
        if codes.count == 1, let code = codes.first { return code }
        let texts = CodeTexts(context)
        guard context.terminal.isAvailable else {
            throw Failure(
                .inputNeeded,
                code: "severalCodes",
                message: "there are \(codes.count) different codes in this text",
                hint: "pass one of them alone",
                details: [
                    "codes": .list(
                        codes.map { ["kind": .text($0.kind.hrp), "code": .text($0.text)] }
                    )
                ]
            )
        }
        var titles: [String] = []
        for code in codes {
            let preview = try await vault.preview(code)
            let title = texts.title(
                code,
                peerID: preview.peerID,
                name: preview.name,
                knownAs: preview.knownAs
            )
            titles.append(title)
        }
        return codes[try context.terminal.choose("Which code?", among: titles, flag: "CODE")]
    }

    /// Who it claims to be from, before anything is taken.
    private func introduce(_ preview: CodePreview) {
        let texts = CodeTexts(context)
        let title = texts.title(
            preview.code,
            peerID: preview.peerID,
            name: preview.name,
            knownAs: preview.knownAs
        )
        context.output.say(title)
        if let terms = texts.terms(preview.code) { context.output.say(terms) }
    }

    /// The vault's answer; what only a person may decide is asked here.
    private func accept(
        _ code: ExchangeCode,
        _ preview: CodePreview,
        _ options: AcceptOptions
    ) async throws -> Reply {
        do {
            return try await vault.accept(code, options)
        } catch {
            try await askAbout(error, code, preview)
        }
        var confirmed = options
        confirmed.isConfirmed = true
        return try await vault.accept(code, confirmed)
    }

    /// The two refusals that a person may lift: the end of an unknown identity, and a person who is known by an
    /// old key only and comes with a new identity.
    private func askAbout(_ error: VaultError, _ code: ExchangeCode, _ preview: CodePreview) async throws {
        switch error {
        case .hsip(.unknownContact):
            guard code.kind == .revoke else { throw error }
            let whose = preview.peerID?.text ?? ""
            try confirm("This ends the identity \(whose), which is nobody here. Keep the notice?")
        case .hsip(.identityChanged(let old, let new)):
            guard let name = try await vault.alias(of: old),
                try await vault.contact(name).contact.identityKey == nil
            else { throw error }
            let shown = context.output.display.cell(name)
            context.output.say("\(shown) is known here by an imported key only; this code is from \(new.text).")
            try confirm("Is that the same person? They would begin unverified.")
        default: throw error
        }
    }

    private func confirm(_ question: String) throws {
        guard try context.agrees(question) else { throw ConsoleError.refused }
    }

    /// What to call somebody new. A person is asked, and offered another name if the usual one is taken; a
    /// script gets the usual one, or `nameCollision`.
    private func nameForNew(_ preview: CodePreview) async throws -> String? {
        guard contact == nil, preview.knownAs == nil, let suggestion = preview.suggestion,
            context.terminal.isAvailable, !context.globals.saysYes, try await makesContact(preview.code)
        else { return nil }
        let taken = await NewName.taken(in: vault)
        var proposal = suggestion
        if taken.contains(suggestion) {
            try await tellTaken(suggestion, by: preview)
            proposal = await NewName.free(like: suggestion, in: vault)
        }
        while true {
            let answer = try context.terminal.ask("Save as", default: proposal, flag: "--as NAME")
            guard Alias.isValid(answer) else {
                context.output.say("A name has 1 to 64 bytes, no leading dash, and nothing invisible.")
                continue
            }
            guard taken.contains(answer) else { return answer }
            try await tellTaken(answer, by: preview)
        }
    }

    private func tellTaken(_ name: String, by preview: CodePreview) async throws {
        let shown = context.output.display.cell(name)
        let existing = try await vault.contact(name).contact.peerID.text
        context.output.say("\(shown) is another contact already: \(existing)")
        context.output.say("this one is \(preview.peerID?.text ?? "")")
    }

    /// An offer, or an answer to an open offer of mine that is for anybody.
    private func makesContact(_ code: ExchangeCode) async throws -> Bool {
        switch code {
        case .offer: return true
        case .answer(let answer):
            let open = try await vault.openOffers().first { $0.code.ref == answer.offerRef }
            return open.map { $0.contact == nil } ?? false
        case .rotate, .accept, .revoke, .verify: return false
        }
    }

    /// A VERIFY is compared. It counts only if a person says where they read it; no switch can say that.
    private func compare(
        _ code: ExchangeCode,
        _ preview: CodePreview,
        _ source: CodeIntake.Source
    ) async throws -> TakenCode {
        var reply = try await vault.accept(code, AcceptOptions(contact: contact))
        var isCounted = false
        if let whose = reply.contact?.alias, source == .camera || source == .image || source == .prompt {
            let shown = context.output.display.cell(whose)
            guard context.terminal.isAvailable else {
                throw Failure(
                    .inputNeeded,
                    code: "inputNeeded",
                    message:
                        "the VERIFY of \(shown) matches, but nobody could say whether it was read from their own screen; trust is unchanged"
                )
            }
            context.output.say("It matches \(shown).")
            if try context.terminal.confirm("Read from \(shown)'s own screen?", flag: "a person") {
                reply = try await vault.accept(code, AcceptOptions(contact: whose, isInPerson: true))
                isCounted = true
            }
        }
        return TakenCode(
            code: code,
            preview: preview,
            source: source,
            reply: reply,
            isNew: false,
            comparison: .init(matches: true, isCounted: isCounted, source: source)
        )
    }
}
