internal import Console
internal import HSIP
internal import SafeText
internal import VaultKit

/// Asks whether it is the same on the other side; `--yes` does not answer this.
struct VerificationQuestion {
    let context: Context
    let vault: any VaultService
    let name: String
    let comparison: Comparison

    /// Asks about what was shown, and sets trust when the person says so.
    ///
    /// - Returns: what was compared; nil when nobody was asked, or nothing was said.
    func ask(about form: VerificationForm?) async throws -> TakenCode.Comparison? {
        guard !context.isJSON, context.terminal.isAvailable, context.surroundings.outputIsTerminal else {
            return nil
        }
        let shown = context.output.display.cell(name)
        switch form {
        case .number:
            guard try context.terminal.confirm("The same number at \(shown)?", flag: "--expect NUMBER") else {
                return try unchanged()
            }
            return try await match(.safetyNumber)
        case .words:
            let question = "The same words, in this order, and the other mark at \(shown)?"
            guard try context.terminal.confirm(question, flag: "a person") else { return try unchanged() }
            return try await match(.emoji)
        case .code, nil: return try await askForAny(form, shown)
        }
    }

    /// Their VERIFY may be pasted here, or the person says which of the two they compared.
    private func askForAny(_ form: VerificationForm?, _ shown: String) async throws -> TakenCode.Comparison? {
        let hasWords = !comparison.words.isEmpty
        let answers = form == .code ? "" : hasWords ? "number, words, or " : "number, or "
        let question =
            form == .code
            ? "Paste \(shown)'s VERIFY, or Enter:"
            : "Same at \(shown)? [\(answers)paste their VERIFY; Enter = no]"
        guard let answer = try context.terminal.askCode(question, seconds: nil, flag: "--expect NUMBER")
        else {
            return try unchanged()
        }
        let word = String(decoding: answer, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
        switch word {
        case "number" where form == nil: return try await match(.safetyNumber)
        case "words" where form == nil && hasWords: return try await match(.emoji)
        case "y", "yes":
            context.output.say("Say which you compared: number or words.")
            return try await askForAny(form, shown)
        case "n", "no": return try unchanged()
        default: break
        }
        if SafetyNumber.isWhole(word) {
            guard comparison.number.matches(word) else { throw VaultError.hsip(.verifyMismatch) }
            return try await match(.safetyNumber)
        }
        let codes: [ExchangeCode]
        do {
            codes = try await vault.codes(in: answer)
        } catch VaultError.hsip(.noCode) {
            context.output.say("That is neither the number nor a VERIFY.")
            return try await askForAny(form, shown)
        }
        return try await take(codes)
    }

    private func take(_ codes: [ExchangeCode]) async throws -> TakenCode.Comparison? {
        guard codes.allSatisfy({ $0.kind == .verify }) else {
            throw Failure(
                .usage,
                code: "usage",
                message: "this is another code than a VERIFY",
                hint: "hsip accept  takes it"
            )
        }
        var acceptance = Acceptance(context, vault)
        acceptance.contact = name
        let taken = try await acceptance.take(.init(found: FoundCodes(codes), source: .prompt))
        if taken.comparison?.isCounted == true { tellVerified() } else { _ = try unchanged() }
        return taken.comparison
    }

    private func match(_ how: Contact.Verification) async throws -> TakenCode.Comparison? {
        _ = try await vault.markVerified(comparison, by: how)
        tellVerified()
        return .init(matches: true, isCounted: true, source: .prompt)
    }

    private func tellVerified() {
        context.output.say("\(context.output.display.cell(name)) is verified.")
    }

    private func unchanged() throws -> TakenCode.Comparison? {
        context.output.say("Trust is unchanged.")
        return nil
    }
}
