internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

extension BackupCommand {
    /// Restores a backup for a trial, by what is on paper, and removes the restored vault.
    func tryOut(_ file: String, _ context: Context) throws {
        let isPaper = try secretKind() == nil
        let place = try context.place()
        let drill = try context.explaining { try BackupDrill(file, for: place) }
        let source: any SecretSource
        switch try context.unlockSource() {
        case .named(let secret)?: source = secret
        case .shares?: source = SharesSecret(context)
        case .device(let kind, let number)?: source = DeviceSecret(context, place, kind, slot: number)
        case .terminal?:
            source = TerminalSecret(context: context) {
                isPaper ? "Recovery code, from paper" : "Passphrase or recovery code"
            }
        case nil: throw StoreError.locked
        }
        let outcome: BackupDrill.Outcome
        do {
            outcome = try context.explaining {
                try drill.run(by: source, onPaper: isPaper, showing: context, now: context.now)
            }
        } catch StoreError.mistyped where isPaper {
            throw Failure(
                .mistyped,
                "this is no recovery code, or it is mistyped",
                hint: "check it block by block; --with passphrase  if a passphrase is meant"
            )
        } catch let error as StoreError {
            throw Self.explain(ofBackup: error)
        }
        let time = Times.rfc3339(outcome.writtenAt)
        var sheet = FactSheet()
        sheet.add("Backup", context.path(drill.file), Cell("can be restored", tone: .good))
        sheet.add("Generation", "\(outcome.backup.position.epoch).\(outcome.backup.generation)")
        sheet.add("Records", "\(outcome.backup.records)")
        for (kind, count) in outcome.kinds.sorted(by: { $0.key < $1.key }) {
            sheet.add(kind.rawValue, "\(count)")
        }
        try context.output.facts(sheet)
        let secret = context.globals.asksShares ? "these shares" : isPaper ? "this paper" : "what you typed"
        context.output.note(
            "this backup and \(secret) bring back \(Plural.of(outcome.backup.records, "record")) as of \(time)"
        )
        try context.output.succeed([
            "file": .text(drill.file), "vaultId": .text(Hex.encode(outcome.vaultID)),
            "writtenAt": .time(outcome.writtenAt),
            "keyEpoch": .integer(Int64(outcome.backup.position.epoch)),
            "generation": .integer(Int64(clamping: outcome.backup.generation)),
            "records": .integer(Int64(outcome.backup.records)), "paper": .bool(isPaper),
            "kinds": .list(
                outcome.kinds.sorted { $0.key < $1.key }.map { kind, count in
                    ["kind": .text(kind.rawValue), "records": .integer(Int64(count))]
                }
            ),
        ])
    }

    /// What `--with` names; nil for paper.
    private func secretKind() throws(Failure) -> String? {
        switch with {
        case nil, "recovery": nil
        case "passphrase": with
        default: throw Failure.usage("--with takes recovery or passphrase")
        }
    }
}
