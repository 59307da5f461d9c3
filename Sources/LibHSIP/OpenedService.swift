internal import HSIP
internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// A vault that is open, or an agent that has it: what the calls of a host program work with.
struct OpenedService: Sendable {
    /// How foreign text stands in a refusal: as on a terminal in UTF-8.
    static let display = Display(isUTF8: true)

    let vault: any VaultService
    /// Where the public halves of its SSH keys are published.
    let publicKeyFolder: String
    /// Wipes the keys in this process.
    let end: @Sendable () -> Void

    /// Unix seconds.
    var now: Int64 { SystemTime.seconds }

    /// Does something with the vault; a refusal names the contact or secret, as that of the command line does.
    ///
    /// - Parameters:
    ///   - name: The contact or secret of the call.
    ///   - secret: The value of a secret that the call reads or writes.
    ///   - code: The code that the call accepts.
    ///   - wanted: The name that the call asks for.
    ///   - body: What is done with the vault.
    /// - Returns: What `body` returns.
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
