internal import HSIP
internal import Presentation
internal import VaultKit

/// What a command of `hsip_call` works with.
struct CallContext: Sendable {
    let vault: any VaultService
    /// Where the public halves of SSH keys are published.
    let publicKeyFolder: String
    /// Unix seconds.
    let now: Int64

    /// Does something with the vault; a refusal brings what can be found out about the people concerned.
    ///
    /// - Parameters:
    ///   - alias: The contact that it is about.
    ///   - code: The code that is being taken.
    ///   - name: The name that is asked for.
    ///   - body: What is done with the vault.
    /// - Returns: What `body` returns.
    /// - Throws: `Explained` for a refusal by HSIP; every other error of `body` as it is.
    func explaining<R>(
        about alias: String? = nil,
        code: ExchangeCode? = nil,
        name: String? = nil,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch VaultError.hsip(let reason) {
            let details = PeopleDetails(vault, about: alias, code: code, wantedName: name, now: now)
            throw Explained(error: VaultError.hsip(reason), details: await details.of(reason))
        }
    }
}
