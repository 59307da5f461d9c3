internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

/// Asks what the contact reads aloud; neither an option nor a line that was sent along can answer this.
struct VerificationQuestion {
    let context: Context
    let vault: any VaultService
    let name: String
    let comparison: Comparison

    /// Asks about what was shown, and sets trust if the person heard the same.
    ///
    /// - Returns: The comparison; nil if no question was asked or answered.
    /// - Throws: `verifyMismatch` if something else was heard three times.
    func ask(about form: VerificationForm?) async throws -> CodeOutcome.Comparison? {
        guard !context.isJSON, context.terminal.isAvailable, context.console.outputIsTerminal else {
            return nil
        }
        switch form {
        case .number: return try await askForNumber()
        case .words: return try await askForWords()
        case .code, nil: return try await askForAny(form)
        }
    }

    private var shown: String { context.output.display.cell(name) }

    private func askForNumber() async throws -> CodeOutcome.Comparison? {
        let groups = comparison.number.text.split(separator: " ").map { String($0) }
        return try hears(groups, called: "groups") ? try await match(.safetyNumber) : unchanged()
    }

    private func askForWords() async throws -> CodeOutcome.Comparison? {
        let words = comparison.words.map(\.word)
        return try hears(words, called: "words") ? try await match(.emoji) : unchanged()
    }

    private func hears(_ parts: [String], called what: String) throws -> Bool {
        try HeardParts(context: context, parts: parts, what: what).areHeard("Let \(shown) read theirs aloud.")
    }

    /// Lets the person paste the contact's VERIFY code, or choose the number or the words to compare.
    private func askForAny(_ form: VerificationForm?) async throws -> CodeOutcome.Comparison? {
        let hasWords = !comparison.words.isEmpty
        let answers = hasWords ? "number, words, or " : "number, or "
        let question =
            form == .code
            ? "Paste \(shown)'s VERIFY, or Enter:"
            : "Same at \(shown)? [\(answers)paste their VERIFY; Enter = no]"
        guard let answer = try context.terminal.askCode(question, seconds: nil, flag: nil) else {
            return unchanged()
        }
        let word = String(decoding: answer, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
        switch word {
        case "number" where form == nil: return try await askForNumber()
        case "words" where form == nil && hasWords: return try await askForWords()
        case "y", "yes":
            context.output.say(
                form == .code ? "Paste their VERIFY." : "Say which you compare: number or words."
            )
            return try await askForAny(form)
        case "n", "no": return unchanged()
        default: break
        }
        if SafetyNumber.isWhole(word) {
            guard comparison.number.matches(word) else { throw VaultError.hsip(.verifyMismatch) }
            context.output.say(
                "The number matches, but a number that was sent proves nothing: listen to theirs."
            )
            return try await askForNumber()
        }
        let codes: [CodePreview]
        do {
            codes = try await vault(Operations.codesIn, answer)
        } catch VaultError.hsip(.noCode) {
            context.output.say("That is neither the number nor a VERIFY.")
            return try await askForAny(form)
        }
        return try await take(codes)
    }

    private func take(_ codes: [CodePreview]) async throws -> CodeOutcome.Comparison? {
        guard codes.allSatisfy({ $0.code.kind == .verify }) else {
            throw Failure.usage("this code is not a VERIFY", hint: "hsip accept  accepts it")
        }
        var acceptance = Acceptance(context, vault)
        acceptance.contact = name
        let taken = try await acceptance.take(.init(found: FoundCodes(codes), source: .prompt))
        if taken.comparison?.isCounted == true { tellVerified() } else { _ = unchanged() }
        return taken.comparison
    }

    private func match(_ how: Contact.Verification) async throws -> CodeOutcome.Comparison? {
        _ = try await vault(Operations.markVerified, comparison, how)
        tellVerified()
        return .init(matches: true, isCounted: true, source: .prompt)
    }

    private func tellVerified() {
        context.output.say("\(context.output.display.cell(name)) is verified.")
    }

    private func unchanged() -> CodeOutcome.Comparison? {
        context.output.say("Trust is unchanged.")
        return nil
    }
}

/// Asks for parts of a number, or words, that the contact reads aloud.
///
/// An attacker in the middle can compute the number and send it. So the person types some parts that they hear,
/// and hsip chooses the parts only when it asks: a line that was sent along cannot answer.
struct HeardParts {
    /// The number of tries.
    private static let tries = 3

    let context: Context
    /// The parts that are compared.
    let parts: [String]
    /// The name for the parts: groups, words.
    let what: String

    /// Asks for two randomly chosen parts, and returns true if the typed parts match.
    ///
    /// - Parameter request: The sentence with the request to the contact.
    /// - Returns: False if the person says no.
    /// - Throws: `verifyMismatch` if something else was heard three times; `inputNeeded` without a
    ///   terminal.
    func areHeard(_ request: String) throws -> Bool {
        for _ in 0..<Self.tries {
            let drawn = parts.indices.shuffled().prefix(2).sorted()
            let places = drawn.map { "\($0 + 1)" }.joined(separator: " and ")
            let heard = try context.terminal.ask(
                "\(request) Type \(what) \(places) as you hear them (Enter = no)",
                flag: nil,
                flushesTypeAhead: true
            )
            let bare = heard.lowercased().filter { !$0.isWhitespace && $0 != "-" }
            if bare.isEmpty || bare == "n" || bare == "no" { return false }
            if bare == drawn.map({ parts[$0] }).joined() { return true }
            context.output.say(
                "\(what.prefix(1).uppercased())\(what.dropFirst()) \(places) are different here."
            )
        }
        throw VaultError.hsip(.verifyMismatch)
    }
}

extension SafetyNumber {
    /// Whether the typed text has all 60 digits.
    static func isWhole(_ typed: String) -> Bool {
        let bare = typed.filter { !$0.isWhitespace && $0 != "-" }
        return bare.utf8.count == 60 && bare.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Checks that a given number is this one, which is all that a script can check.
    ///
    /// - Throws: `malformedInput` for anything but 60 digits; `verifyMismatch` for another number.
    static func check(_ typed: String, isThatOf number: SafetyNumber) throws {
        guard isWhole(typed) else {
            throw Failure(.malformedInput, "a safety number has 60 digits")
        }
        guard number.matches(typed) else { throw VaultError.hsip(.verifyMismatch) }
    }
}
