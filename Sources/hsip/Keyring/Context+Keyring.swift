internal import Console
internal import FileStore
internal import Programs
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

extension Context {
    /// Whether the desktop may show a prompt to somebody: not over SSH, where it would appear on another screen.
    var mayAskAtDesktop: Bool {
        surroundings.hasDisplay && environment["SSH_CONNECTION"] == nil && !globals.asksNothing
            && !surroundings.refusesInput
    }

    /// How long the keyring is waited for in the work with a vault.
    var patience: Patience { mayAskAtDesktop ? .person : .script }

    /// Connects to the Secret Service of this session.
    func connect(_ patience: Patience) throws(StoreError) -> SecretService {
        try SecretService.connect(environment: busVariables, patience: patience)
    }

    /// Where anchor and lock of a vault in the keyring lie.
    func keyringPaths(_ place: VaultPlace) -> KeyringPaths {
        KeyringPaths(anchorFolder: place.paths.anchorFolder, environment: busVariables)
    }

    /// Opens the recorded vault in the keyring; nothing else is tried when that does not work.
    ///
    /// - Throws: a usage error for a passphrase that came along; the keyring's own errors; `unavailable` when
    ///   the vault is not in it.
    func openKeyring(
        _ record: VaultRecord,
        _ place: VaultPlace,
        _ patience: Patience,
        _ options: OpenOptions = OpenOptions()
    ) throws -> SecretServiceStore {
        try refusePassphrase()
        let store: SecretServiceStore
        do throws(StoreError) {
            store = try SecretServiceStore.open(
                vaultID: record.id,
                options: options,
                paths: keyringPaths(place),
                service: try connect(patience),
                entropy: .system,
                now: SystemTime.milliseconds
            )
        } catch .notFound {
            throw Misplaced.noHeader(record.label, output.display)
        }
        tell(store.noted)
        return store
    }

    /// What was found of the default keyring, nobody being asked, and the connection to it.
    func lookAtKeyring() -> (finding: KeyringFinding, service: SecretService?) {
        do throws(StoreError) {
            let service = try connect(.probe)
            return (KeyringFinding(try service.collections()), service)
        } catch {
            return (.failed(error), nil)
        }
    }

    /// Refuses to make a vault where the keyring holds one of this name that `config.json` does not know: it
    /// would be an empty one beside a full one.
    func refuseStranger(in service: SecretService, _ place: VaultPlace) throws(Failure) {
        guard try holdsStranger(service, place) else { return }
        // Another first run may just be writing it down, under the lock of the file.
        try config(place).change(place.key) { present throws(Failure) in
            guard present == nil else { throw Failures.explain(StoreError.alreadyExists) }
            return nil
        }
        throw Misplaced.unrecordedInKeyring(place, output.display)
    }

    /// Whether the keyring holds a vault of this name that is in no record.
    func holdsStranger(_ service: SecretService, _ place: VaultPlace) throws(Failure) -> Bool {
        let known = try config(place).records().values.map(\.id)
        do throws(StoreError) {
            return try KeyringVault.exists(named: place.key, besides: known, in: service)
        } catch {
            throw Failures.explain(error)
        }
    }

    /// A vault in the keyring has no passphrase; one that was given outright is a misunderstanding.
    func refusePassphrase() throws(Failure) {
        if globals.passphraseDescriptor != nil { throw Misplaced.noPassphrase("--passphrase-fd") }
        if globals.passphraseFile != nil { throw Misplaced.noPassphrase("--passphrase-file") }
    }

    private var busVariables: [String: String] {
        var variables: [String: String] = [:]
        for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] { variables[name] = environment[name] }
        return variables
    }
}
