internal import HSIP
internal import Presentation
internal import VaultKit

extension Context {
    /// A refusal of the vault, with the names of the people concerned.
    func explain(
        _ error: VaultError,
        _ vault: any VaultService,
        about alias: String?,
        code: ExchangeCode? = nil,
        name: String? = nil
    ) async -> Failure {
        let details = PeopleDetails(vault, about: alias, code: code, wantedName: name, now: now)
        return Failure(await PeopleErrors(details, output.display).explain(error))
    }

    /// Does something with the vault, and explains its refusals with the names of the people concerned.
    func explaining<R>(
        _ vault: any VaultService,
        about alias: String? = nil,
        code: ExchangeCode? = nil,
        name: String? = nil,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch let error as VaultError {
            throw await explain(error, vault, about: alias, code: code, name: name)
        }
    }
}
