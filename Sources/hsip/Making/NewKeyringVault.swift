internal import Console
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

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
        guard try context.stranger(in: service, place) == nil else {
            throw Misplaced.unrecordedInKeyring(place)
        }
    }

    /// Says what this means for whoever makes it.
    static func tell(_ context: Context) {
        context.output.note(
            "this vault has no passphrase and no recovery code: it opens with the keyring, to every program "
                + "of yours, and is lost with it"
        )
    }

    /// Makes it, and writes down that it was made.
    func make(_ context: Context) throws -> SecretServiceStore {
        let store = try Self.explaining { () throws(StoreError) in
            try SecretServiceStore.create(
                named: place.key,
                in: collection,
                paths: context.keyringPaths(place),
                service: service,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        }
        var record = VaultRecord(
            id: store.vaultID,
            collection: store.collection.path,
            label: store.collection.label,
            reason: reason
        )
        record.lacksIdentity = true
        try context.config(place).set(record, of: place.key)
        return store
    }

    /// Where there is no keyring, a new vault can be a file: the way out of every refusal here.
    private static func explaining<R>(_ body: () throws(StoreError) -> R) throws -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            var failure = Failures.explain(error)
            if [5, 10, 12].contains(failure.status) { failure.hint = "hsip init --backend file" }
            throw failure
        }
    }
}
