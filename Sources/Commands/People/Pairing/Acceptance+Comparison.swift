internal import HSIP
internal import Presentation
internal import Text
internal import VaultKit

extension Acceptance {
    /// A VERIFY is compared.
    ///
    /// It counts only if a person says where they read it; no switch can say that.
    func compare(
        _ code: ExchangeCode,
        _ preview: CodePreview,
        _ found: CodeIntake.Found
    ) async throws -> TakenCode {
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
        return TakenCode(
            preview: preview,
            source: source,
            reply: reply,
            comparison: .init(matches: true, isCounted: isCounted, source: source)
        )
    }
}
