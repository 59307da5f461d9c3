internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import VaultLifecycle

extension RepairCommand {
    static func explain(_ error: StoreError) -> Failure {
        var failure = Failure(error)
        switch error {
        case .noSuchSlot:
            failure.message = "the file has no readable key slot for this secret"
            failure.hint = "--with BACKUP  of the same vault, whose slots open it, too"
        case .notAVault:
            failure.message = "the file has no record of a vault"
            failure.hint = nil
        case .alreadyExists:
            failure.message = "there is a file of this name"
            failure.hint = "-o NEW  with another name"
        case .corrupt, .tampered, .schemaTampered:
            failure.message = "the backup is damaged, too"
            failure.hint = "use another backup, or none"
        default: break
        }
        return failure
    }

    static func explain(_ error: ProgramError) -> Failure {
        var failure = Failure(error)
        if case .interrupted = error {
            failure.message = "interrupted: no new vault was made, and the damaged one is as it was"
        }
        return failure
    }

    static func explain(_ refusal: RepairRefusal, _ context: Context) -> Failure {
        switch refusal {
        case .tooLarge:
            Failure(.tooLarge, "the file has more than the 64 GiB that are searched")
        case .tooManyRows:
            Failure(.tooLarge, "more than 10 million rows were found; a vault does not have so many")
        case .unreadable(let blocks):
            Failure(
                .io,
                "nothing of a vault can be read; blocks of 4 KiB that the disk does not give back: \(blocks)",
                hint: "hsip vault restore BACKUP  if there is a backup"
            )
        case .badBackup(let path, let error): explain(error, ofBackup: context.path(path).shown)
        case .otherBackup(let path):
            Failure(
                .malformedInput,
                "\(context.path(path).shown) is a backup of another vault, or from before its key changed",
                hint: "--with BACKUP  of this vault"
            )
        }
    }

    static func explain(_ error: StoreError, ofBackup path: String) -> Failure {
        var failure = Failure(error)
        switch error {
        case .readOnlyWithLog: failure.message = "a log lies beside \(path): it is a vault, not a backup"
        case .notFound: failure.message = "there is no backup \(path)"
        default: failure.message = "\(path) cannot be used as a backup: \(failure.message)"
        }
        failure.hint = "--with BACKUP  with what hsip vault backup wrote"
        return failure
    }

    static func explain(_ refusal: VaultRepair.Refusal, _ context: Context) -> Failure {
        switch refusal {
        case .noFile(let path):
            Failure(.notFound, "\(context.path(path).shown) does not exist, and neither does its log")
        case .strayLog(let path):
            Failure(
                .alreadyExists,
                "\(context.path(path).shown) exists already, and the log of the new vault needs that name",
                hint: "-o NEW  with another name"
            )
        }
    }
}
