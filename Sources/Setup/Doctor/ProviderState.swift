internal import RecordStore
internal import SecretServiceStore
package import System
package import VaultLifecycle

/// Who keeps the secrets of other programs in this session.
package enum ProviderState: String {
    /// The vault: hsip-secrets answers, or the bus starts it at the first call.
    case serving
    /// The vault does not, though `hsip setup keyring` was used: another vault or another program does.
    case elsewhere
    /// `hsip setup keyring` was not used, or this session has no bus.
    case off

    /// How it is for a vault; nothing is started for that, and without a setup no bus is asked.
    package static func find(_ place: VaultPlace, _ environment: Environment) -> ProviderState {
        guard let record = (try? ProviderSetup.record(place)) ?? nil else { return .off }
        guard record.vault == place.key else { return .elsewhere }
        do throws(StoreError) {
            guard let process = try SessionBus(environment: environment.busVariables).holder() else {
                return record.isTried ? .serving : .off
            }
            return NameHolder(process).isOwn ? .serving : .elsewhere
        } catch {
            return .off
        }
    }
}
