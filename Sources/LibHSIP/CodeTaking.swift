internal import HSIP
internal import Presentation
internal import VaultCrypto
internal import VaultKit

/// Takes a code for a program: no one is asked, so what only a person may decide is refused.
struct CodeTaking: Sendable {
    /// The result.
    struct Taken: Sendable {
        /// My code to send back.
        let code: ExchangeCode?
        let answer: CallAnswer
    }

    let context: CallContext
    /// What to call a new contact; the name of a contact means that contact.
    let name: String?

    /// Takes the one code of a text.
    ///
    /// - Throws: `SeveralCodes`; what the vault refuses.
    func take(_ text: [UInt8]) async throws -> Taken {
        let vault = context.vault
        let found = try await vault.codes(anywhereIn: text)
        guard let code = found.codes.first, found.codes.count == 1 else {
            throw SeveralCodes(codes: found.codes)
        }
        let preview = try await vault(Operations.preview, code)
        guard !preview.isOwn else { throw HSIPError.selfPairing }
        let known = Set(try await vault.whole()(Operations.contacts, .kept).map(\.alias))
        let isComparison = code.kind == .verify
        let source = found.carriers.isEmpty ? CodeSource.text : .message
        // A VERIFY makes no contact: a name can only say whose it must be.
        let options = isComparison ? AcceptOptions(contact: name) : AcceptOptions(alias: name)
        let reply = try await context.explaining(about: name, code: code, name: name ?? preview.name) {
            try await vault.take(code, of: found, options)
        }
        let alias = reply.contact?.alias
        let taken = TakenCode(
            code: code,
            preview: preview,
            source: source,
            reply: reply,
            isNew: alias.map { !isComparison && !known.contains($0) } ?? false,
            comparison: isComparison ? .init(matches: true, isCounted: false, source: source) : nil
        )
        return Taken(code: reply.code, answer: answer(taken))
    }

    private func answer(_ taken: TakenCode) -> CallAnswer {
        let alias = taken.reply.contact?.alias
        let code = taken.reply.code.map {
            JSONValue.code($0, contact: alias, isCached: taken.reply.isCached)
        }
        var answer = CallAnswer(.accepted(taken, contact: taken.reply.contact, reply: code ?? .null))
        answer.add(taken.reply.notices, about: taken.reply.contact)
        answer.addTrust(taken)
        return answer
    }
}
