internal import CommandKit
internal import Console
internal import FileStore
internal import Programs
internal import RecordStore
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
