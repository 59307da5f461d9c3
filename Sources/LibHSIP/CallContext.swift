internal import Credentials
internal import HSIP
internal import Presentation
internal import RecordStore
internal import SafeText
internal import VaultKit

/// What a command of `hsip_call` works with.
struct CallContext: Sendable {
    /// How foreign text stands in a refusal: as on a terminal in UTF-8.
    static let display = Display(isUTF8: true)

    let vault: any VaultService
    /// Where the public halves of SSH keys are published.
    let publicKeyFolder: String
    /// Unix seconds.
    let now: Int64

    /// Does something with the vault; a refusal names the people concerned, as that of the command line does.
    ///
    /// - Parameters:
    ///   - alias: The contact that it is about.
    ///   - code: The code that is being taken.
    ///   - name: The name that is asked for.
    ///   - body: What is done with the vault.
    /// - Returns: What `body` returns.
    /// - Throws: `ErrorText` for a refusal by the vault; every other error of `body` as it is.
    func explaining<R>(
        about alias: String? = nil,
        code: ExchangeCode? = nil,
        name: String? = nil,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch let error as VaultError {
            if error == .hsip(.unknownContact), let alias { throw try await unknownContact(alias) }
            let details = PeopleDetails(vault, about: alias, code: code, wantedName: name, now: now)
            throw await PeopleErrors(details, Self.display).explain(error)
        }
    }

    /// Does something with one secret; a refusal names it.
    ///
    /// - Throws: `ErrorText` for a refusal that is about the secret; every other error of `body` as it is.
    func explaining<R>(_ secret: CredentialReference, _ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch VaultError.secret(.unknownField) {
            throw await CredentialError.unknownField(of: secret, in: vault, Self.display)
        } catch VaultError.secret(let reason) {
            throw reason.explanation(of: secret.name, Self.display)
        }
    }

    private func unknownContact(_ word: String) async throws -> ErrorText {
        switch try await NameLookup.contacts(try await vault.whole()).find(word) {
        case .inTrash: return RecordWords.contact.inTrash(word, Self.display)
        case .unknown(let near):
            try await vault.checkContactsAreWhole()
            return RecordWords.contact.unknown(word, near: near, Self.display)
        case .named, .begun, .ambiguous: return HSIPError.unknownContact.explanation
        }
    }
}
