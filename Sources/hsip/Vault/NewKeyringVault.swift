internal import Console
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto
internal import VaultLifecycle

/// A new vault in the desktop's keyring: no passphrase, no recovery code, nothing to write down.
struct NewKeyringVault {
    let place: VaultPlace
    let service: SecretService
    let collection: CollectionChoice
    let reason: BackendReason

    /// Connects, and refuses to make an empty vault beside a full one.
    init(
        at place: VaultPlace,
        in collection: String?,
        reason: BackendReason,
        _ context: Context
    ) throws {
        self.place = place
        self.collection = collection.map { .named($0) } ?? .standard
        self.reason = reason
        service = try Self.explaining { () throws(StoreError) in try context.connect(context.patience) }
        try context.refuseStranger(in: service, place)
    }

    /// Says what this means for whoever makes it.
    static func tell(_ context: Context) {
        context.output.note(
            "this vault has no passphrase and no recovery code: it opens with the keyring, to every program "
                + "of yours, and is lost with it"
        )
    }

    /// Warns of a service that may lose what it has acknowledged; the vault notices it.
    static func tellDurability(_ service: SecretService, _ context: Context) throws {
        guard try !explaining({ () throws(StoreError) in try service.isDurable() }) else { return }
        context.output.warn(
            Warning(
                "keyringForgets",
                "this keyring may forget the last changes when its program is killed; hsip notices that, and asks "
                    + "before it goes on",
                hint: "hsip init --backend file"
            )
        )
    }

    /// Makes it, and writes down that it was made.
    ///
    /// Of two programs that do this at once one comes second, and is refused: two empty vaults of one name
    /// would be one too many. A person is asked before, so that nobody else has to wait for the answer.
    func make(_ context: Context) throws -> SecretServiceStore {
        let chosen = try Self.explaining { () throws(StoreError) in
            try service.collection(collection, making: true)
        }
        var made: SecretServiceStore?
        try context.config(place).change(place.key) { present in
            guard present == nil else { throw StoreError.alreadyExists }
            guard try !context.holdsStranger(service, place) else {
                throw OpeningTexts.explain(.unrecordedInKeyring(name: place.key), context.output.display)
            }
            let store = try Self.explaining { () throws(StoreError) in try create(context) }
            made = store
            var record = VaultRecord(
                id: store.vaultID,
                collection: chosen.path,
                label: chosen.label,
                reason: reason
            )
            record.lacksIdentity = true
            return record
        }
        guard let made else { throw StoreError.conflict }
        return made
    }

    private func create(_ context: Context) throws(StoreError) -> SecretServiceStore {
        try SecretServiceStore.create(
            named: place.key,
            in: collection,
            paths: context.keyringPaths(place),
            service: service,
            entropy: .system,
            now: SystemTime.milliseconds
        )
    }

    /// Where there is no keyring, a new vault can be a file: the way out of every refusal here.
    private static func explaining<R>(_ body: () throws(StoreError) -> R) throws(Failure) -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            var failure = Failures.explain(error)
            if [5, 10, 12].contains(failure.status) { failure.hint = "hsip init --backend file" }
            throw failure
        }
    }
}
