internal import Console
internal import FileStore
internal import Glibc
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
    /// Why it is a file.
    let reason: BackendReason

    /// Makes it, durably, and writes down that it was made.
    ///
    /// The record comes after the vault because it names the vault's id. Stopped in between, the program
    /// leaves a vault that every command finds and refuses (exit 12) with `doctor --fix` as the way out.
    func make(_ context: Context) throws -> FileStore {
        let codeFile = try context.handOver(passphrase, recovery, to: recoveryFile)
        let store: FileStore
        do throws(StoreError) {
            store = try create(context)
        } catch {
            // A code that opens nothing is not left lying about; one that may open something is never lost.
            // `alreadyExists` comes before anything of ours has the name: the vault there is somebody else's.
            let isOther = error == .alreadyExists
            if isOther || (error != .commitUnknown && !Path.exists(place.file)) { codeFile?.remove() }
            throw error
        }
        var record = VaultRecord(id: store.vaultID, path: place.file, reason: reason)
        record.lacksIdentity = true
        try context.config(place).set(record, of: place.key)
        return store
    }

    private func create(_ context: Context) throws(StoreError) -> FileStore {
        let slots = Self.slots(passphrase, recovery)
        return try context.output.working("deriving key…") { () throws(StoreError) in
            try FileStore.create(
                at: place.paths,
                slots: slots,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        }
    }

    /// What opens a new vault file.
    static func slots(_ passphrase: NewPassphrase, _ recovery: NewRecoveryCode) -> [NewSlot] {
        [
            NewSlot(.passphrase(passphrase.secret), label: "passphrase", parameters: parameters),
            NewSlot(.recovery(recovery.secret), label: "paper"),
        ]
    }

    /// The standard cost of a guess; the least one on a machine with less than 1 GiB.
    static var parameters: PasswordHash.Parameters {
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return memory > 0 && memory < 1 << 30 ? PasswordHash.floor : PasswordHash.standard
    }
}
