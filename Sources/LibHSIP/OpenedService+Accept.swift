internal import HSIP
internal import Presentation
internal import VaultKit

extension OpenedService {
    /// Accepts the one code of a text for a program: nobody is asked, so decisions of a person are refused.
    ///
    /// - Parameters:
    ///   - text: The code, in any of its forms.
    ///   - name: What to call a new contact; the name of a contact means that contact.
    /// - Returns: My code to send back, and the answer of `hsip accept`.
    /// - Throws: `SeveralCodes`; what the vault refuses.
    func accept(_ text: [UInt8], as name: String?) async throws -> (code: ExchangeCode?, answer: CallAnswer) {
        let found = try await vault.codes(anywhereIn: text)
        guard let preview = found.previews.first, found.previews.count == 1 else {
            throw SeveralCodes(codes: found.previews.map(\.code))
        }
        guard !preview.isOwn else { throw HSIPError.selfPairing }
        let code = preview.code
        let isComparison = code.kind == .verify
        let source = found.carriers.isEmpty ? CodeSource.text : .message
        // A VERIFY makes no contact: a name can only say whose it must be.
        let options = isComparison ? AcceptOptions(contact: name) : AcceptOptions(alias: name)
        let reply = try await explaining(about: name, code: code, wanted: name ?? preview.name) {
            try await vault.take(code, of: found, options)
        }
        let taken = TakenCode(
            preview: preview,
            source: source,
            reply: reply,
            comparison: isComparison ? .init(matches: true, isCounted: false, source: source) : nil
        )
        return (reply.code, Self.answer(taken))
    }

    private static func answer(_ taken: TakenCode) -> CallAnswer {
        let (reply, contact) = (taken.reply, taken.reply.contact)
        let code = reply.code.map { JSONValue.code($0, contact: contact?.alias, isCached: reply.isCached) }
        var answer = CallAnswer(
            .accepted(taken, contact: contact, reply: code ?? .null),
            reply.notices,
            about: contact
        )
        guard let contact else { return answer }
        let trust = contact.contact.trust
        if trust == .suspicious, !reply.notices.contains(.suspicious) {
            answer.warn("suspicious", about: contact.alias)
        }
        let isPaired = taken.outcome == .answered || taken.outcome == .paired
        if isPaired, trust != .verified, !reply.notices.contains(.repairedNotReverified) {
            answer.warn("notVerified", about: contact.alias)
        }
        return answer
    }
}

/// Different codes in one text: a program passes the code that it means alone.
private struct SeveralCodes: Explainable {
    let codes: [ExchangeCode]

    var explanation: Failure {
        Failure(
            .severalCodes,
            HSIPError.severalCodes.explanation.message,
            details: [
                "codes": .list(codes.map { ["kind": .text($0.kind.hrp), "code": .text($0.text)] })
            ]
        )
    }
}
