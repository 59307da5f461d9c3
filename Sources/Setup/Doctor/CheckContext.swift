internal import RecordStore
package import SecretServiceStore
package import System
package import Text
package import VaultLifecycle

/// What the checks know of the vault that they look at, and of the program that runs them.
package struct CheckContext {
    let place: VaultPlace
    /// What is written down of the vault; nil for nothing.
    let record: VaultRecord?
    let environment: Environment
    /// How names that others gave are shown.
    let display: Display
    /// Unix seconds.
    let now: Int64
    /// How long the keyring is waited for in the work with a vault.
    let patience: Patience
    /// Where a vault lies, as people read it.
    let shown: (Location) -> String
    /// Shows how far a remedy has come that takes long; nil takes that away again.
    let progress: (String?) -> Void

    package init(
        place: VaultPlace,
        record: VaultRecord?,
        environment: Environment,
        display: Display,
        now: Int64,
        patience: Patience,
        shown: @escaping (Location) -> String,
        progress: @escaping (String?) -> Void = { _ in }
    ) {
        (self.place, self.record, self.environment) = (place, record, environment)
        (self.display, self.now, self.patience, self.shown) = (display, now, patience, shown)
        self.progress = progress
    }

    var locator: VaultLocator { VaultLocator(place, environment) }
    var config: ConfigFile { locator.config }

    /// Connects to the Secret Service of this session; no one is asked.
    func connect() throws(StoreError) -> SecretService {
        try SecretService.connect(environment: environment.busVariables, patience: .probe)
    }
}
