internal import CommandKit
internal import Console
internal import RecordStore
internal import SecretServiceStore
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
        var failure = Failures.explain(error)
        if [5, 10, 12].contains(failure.status) { failure.hint = "hsip init --backend file" }
        return failure
    }
}
