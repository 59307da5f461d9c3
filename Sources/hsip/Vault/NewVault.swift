internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// The parts of a new vault, all known before anything is made.
struct NewVault {
    let place: VaultPlace
    let passphrase: NewPassphrase
    let recovery: NewRecoveryCode
    /// The file for the recovery code, instead of the terminal.
    let recoveryFile: String?
    /// The target of an emergency kit, if one was asked for.
    let kit: KitTarget?
    /// The reason for a file instead of the keyring.
    let reason: BackendReason

    /// Hands out the secrets, then makes the vault.
    func make(_ context: Context) throws -> FileStore {
        let id = VaultCreation.newID()
        let handed = try context.handOver(
            passphrase,
            recovery,
            to: recoveryFile,
            kit: kit.map { ($0.kit(of: place, id, context), $0) }
        )
        let store = try VaultCreation(at: context.locator(place), showing: context)
            .makeFile(Self.slots(passphrase, recovery), id: id, reason) { handed?.remove() }
        if kit != nil { context.remember(id, at: place) { $0.kitMadeAt = context.now } }
        return store
    }

    /// The key slots of a new vault file.
    static func slots(_ passphrase: NewPassphrase, _ recovery: NewRecoveryCode) -> [NewSlot] {
        [
            NewSlot(.passphrase(passphrase.secret), label: "passphrase", parameters: .ofThisMachine),
            NewSlot(.recovery(recovery.secret), label: "paper"),
        ]
    }
}

/// A new vault in the desktop's keyring: no passphrase, no recovery code, nothing to write down.
struct NewKeyringVault {
    let place: VaultPlace
    let service: SecretService
    let collection: CollectionChoice
    let reason: BackendReason

    /// Connects to the keyring, and refuses to make an empty vault beside a full one.
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

    /// Says what a vault in the keyring means for its owner.
    static func tell(_ context: Context) {
        context.output.note(
            "this vault has no passphrase and no recovery code: it opens with the keyring, to every program "
                + "of yours, and is lost with it"
        )
    }

    /// Warns about a service that may lose what it acknowledged; the vault would notice that.
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

    /// Makes the vault, and records that it was made.
    func make(_ context: Context) throws -> SecretServiceStore {
        do {
            return try VaultCreation(at: context.locator(place), showing: context)
                .make(in: collection, service, reason)
        } catch let error as StoreError {
            throw Self.advising(error)
        } catch {
            return try context.explaining { throw error }
        }
    }

    private static func explaining<R>(_ body: () throws(StoreError) -> R) throws(Failure) -> R {
        do throws(StoreError) { return try body() } catch { throw advising(error) }
    }

    /// Suggests a vault in a file, the way out if the keyring refuses.
    private static func advising(_ error: StoreError) -> Failure {
        var failure = Failure(error)
        if [5, 10, 12].contains(failure.exitCode) { failure.hint = "hsip init --backend file" }
        return failure
    }
}
