internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import VaultLifecycle

extension RepairCommand {
    private static let passphraseFlag = "--new-passphrase-file FILE"

    /// Saves what can be read of a vault in the keyring into a vault file; the keyring stays as it is.
    func repair(_ record: VaultRecord, _ place: VaultPlace, _ context: Context) throws {
        guard backups.isEmpty, !takesMissing, !takesAllSlots else {
            throw Failure.usage(
                "--with, --take-missing and --all-slots are for a damaged file",
                hint: "hsip vault restore BACKUP  puts a backup in the place of a vault in the keyring"
            )
        }
        do {
            let repair = try context.explaining {
                try context.output.working("reading…") {
                    try KeyringRepair(
                        of: record,
                        at: context.locator(place),
                        into: isDryRun ? nil : output,
                        context.patience
                    )
                }
            }
            let key = try key(of: repair, context)
            let vault = try key.flatMap { key in
                try context.output.working("repairing…") { try repair.write(key) }
            }
            try RepairReport(repair, key, vault).tell(context)
        } catch let error as StoreError {
            throw Self.explain(inKeyring: error)
        } catch let error as VaultRepair.Refusal {
            throw Self.explain(error, context)
        }
    }

    /// What opens the new vault: what opens the backups, or a new passphrase where their key is lost.
    private func key(of repair: KeyringRepair, _ context: Context) throws -> CopyKey? {
        if let key = repair.key {
            guard newPassphraseFile == nil else {
                throw Failure.usage("the new vault opens with the secrets of this vault's backups")
            }
            return key
        }
        guard !isDryRun else { return nil }
        context.output.say("The new vault is a file with a passphrase of its own.")
        let passphrase = try context.newPassphrase(
            from: newPassphraseFile.map { NamedSecret(.file($0)) },
            allowsWeak: false,
            flag: Self.passphraseFlag
        )
        try context.handOver(passphrase, nil, to: nil)
        let slot = NewSlot(.passphrase(passphrase.secret), label: "passphrase", parameters: .ofThisMachine)
        return try context.during(.derivingKey) { () throws(StoreError) in try repair.makeKey([slot]) }
    }

    private static func explain(inKeyring error: StoreError) -> Failure {
        var failure = Failure(error)
        switch error {
        case .notAVault:
            failure.message =
                "the keyring has lost the first item of this vault, and this machine has no copy of it: hsip cannot tell which items are current"
            failure.hint = "hsip vault restore BACKUP  if there is a backup"
        case .alreadyExists:
            failure.message = "there is a file of this name"
            failure.hint = "-o NEW  with another name"
        default: break
        }
        return failure
    }
}
