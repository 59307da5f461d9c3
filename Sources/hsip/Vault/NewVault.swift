internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// What a new vault is made of; everything is known before anything is made.
struct NewVault {
    let place: VaultPlace
    let passphrase: NewPassphrase
    let recovery: NewRecoveryCode
    /// Where the recovery code goes instead of the terminal.
    let recoveryFile: String?
    /// Where an emergency kit goes, where one was asked for.
    let kit: KitTarget?
    /// Why it is a file.
    let reason: BackendReason

    /// Hands its secrets over, then makes it.
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

    /// What opens a new vault file.
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

    /// Says what this means for its owner.
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

    /// Where there is no keyring, a new vault can be a file: the way out of every refusal here.
    private static func advising(_ error: StoreError) -> Failure {
        var failure = Failure(error)
        if [5, 10, 12].contains(failure.exitCode) { failure.hint = "hsip init --backend file" }
        return failure
    }
}
