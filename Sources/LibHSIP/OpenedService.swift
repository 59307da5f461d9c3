internal import HSIP
internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// An open vault, or an agent that serves it, for the calls of a host program.
struct OpenedService: Sendable {
    /// The form of foreign text in errors: as on a terminal in UTF-8.
    static let display = Display(isUTF8: true)

    let vault: any VaultService
    /// The folder in which public SSH keys are published.
    let publicKeyFolder: String
    /// Wipes the keys in this process.
    let end: @Sendable () -> Void

    /// The current time in Unix seconds.
    var now: Int64 { SystemTime.seconds }

    /// Runs `body`; an error names the contact or secret, as in the command line.
    ///
    /// - Parameters:
    ///   - name: The contact or secret of the call.
    ///   - secret: The value of a secret that the call reads or writes.
    ///   - code: The code that the call accepts.
    ///   - wanted: The name that the call requests.
    ///   - body: The work with the vault.
    /// - Returns: The result of `body`.
    /// - Throws: `Failure` for a refusal by the vault; every other error of `body` unchanged.
    func explaining<R>(
        about name: String? = nil,
        secret: CredentialReference? = nil,
        code: ExchangeCode? = nil,
        wanted: String? = nil,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch let error as VaultError {
            if case .secret(let reason) = error, let secret = secret ?? name.map({ CredentialReference($0) })
            {
                guard reason == .unknownField else {
                    throw reason.explanation(of: secret.name, Self.display)
                }
                throw await CredentialError.unknownField(of: secret, in: vault, Self.display)
            }
            if error == .hsip(.unknownContact), let name { throw try await unknownContact(name) }
            let details = PeopleDetails(vault, about: name, code: code, wantedName: wanted, now: now)
            throw await PeopleErrors(details, Self.display).explain(error)
        }
    }

    private func unknownContact(_ word: String) async throws -> Failure {
        switch try await NameLookup.contacts(try await vault.whole()).find(word) {
        case .inTrash: return RecordWords.contact.inTrash(word, Self.display)
        case .unknown(let near):
            try await vault.checkContactsAreWhole()
            return RecordWords.contact.unknown(word, near: near, Self.display)
        case .named, .begun, .ambiguous: return HSIPError.unknownContact.explanation
        }
    }
}

extension OpenedService {
    /// Accepts the single code in a text for a program; decisions of a person are refused.
    ///
    /// - Parameters:
    ///   - text: The code, in any of its forms.
    ///   - name: The name for a new contact; an existing contact's name means that contact.
    /// - Returns: My code to send back, and the answer of `hsip accept`.
    /// - Throws: `SeveralCodes`; the errors of the vault.
    func accept(_ text: [UInt8], as name: String?) async throws -> (code: ExchangeCode?, answer: CallAnswer) {
        let found = try await vault.codes(anywhereIn: text)
        guard let preview = found.previews.first, found.previews.count == 1 else {
            throw SeveralCodes(codes: found.previews.map(\.code))
        }
        guard !preview.isOwn else { throw HSIPError.selfPairing }
        let code = preview.code
        let isComparison = code.kind == .verify
        let source = found.carriers.isEmpty ? CodeSource.text : .message
        // A VERIFY makes no contact: a name can only say whose code it must be.
        let options = isComparison ? AcceptOptions(contact: name) : AcceptOptions(alias: name)
        let reply = try await explaining(about: name, code: code, wanted: name ?? preview.name) {
            try await vault.take(code, of: found, options)
        }
        let taken = CodeOutcome(
            preview: preview,
            source: source,
            reply: reply,
            comparison: isComparison ? .init(matches: true, isCounted: false, source: source) : nil
        )
        return (reply.code, Self.answer(taken))
    }

    private static func answer(_ taken: CodeOutcome) -> CallAnswer {
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

/// The error for different codes in one text; a program then passes one code alone.
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
