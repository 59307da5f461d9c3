public import RecordStore

/// The desktop's Secret Service, reached over the session bus (libsecret).
///
/// Every call waits, so it is made from an executor of its own; none waits longer than its patience. A call
/// that is not answered in time is cancelled, and if even that gets no answer its thread is left behind.
public final class SecretService: Sendable {
    /// How long calls may take.
    public let patience: Patience

    init(patience: Patience) {
        self.patience = patience
    }

    /// Connects to the service of this session and agrees on a key for the transport of secrets.
    ///
    /// - Parameters:
    ///   - environment: Where the session bus is looked for: `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR`.
    ///   - patience: How long calls may take.
    /// - Throws: `noSessionBus`, `noSecretService`, `noSecretLibrary`, `keyringTimeout`, `keyringDied`.
    public static func connect(
        environment: [String: String],
        patience: Patience
    ) throws(StoreError) -> SecretService {
        throw .noSecretService
    }

    /// Every collection, the default one first.
    public func collections() throws(StoreError) -> [CollectionInfo] {
        throw .noSecretService
    }

    /// The chosen collection, unlocked.
    ///
    /// - Parameter making: Whether a named collection that is missing is made; the service asks a person for
    ///   its password then.
    /// - Throws: `noSuchCollection`, `keyringLocked`, `promptDismissed`, `keyringTimeout`.
    public func collection(_ choice: CollectionChoice, making: Bool) throws(StoreError) -> CollectionInfo {
        throw .noSecretService
    }

    /// Ends the call that is waiting now, if there is one, with `cancelled`.
    public func cancel() {}
}
