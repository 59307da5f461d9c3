internal import Glibc
package import RecordStore
package import Text
package import VaultLifecycle

extension StoreError: Explainable {
    package var explanation: Failure {
        Failure(words, details: StoreDetails.of(self, here: HostEnvironment.here().rawValue))
    }

    /// The message if another process has written to the vault for ten seconds.
    package static let busyText = "another process is using the vault"

    /// The error for a vault that does not exist, with its name or path.
    package static func notFound(at place: VaultPlace, _ display: Display) -> Failure {
        let message =
            switch place.name {
            case nil: "there is no vault at \(display.text(place.file))"
            case "vault": "there is no vault yet"
            case let name?: "there is no vault named \(display.cell(name))"
            }
        return notFound.explanation.saying(message)
    }

    private var words: Failure.Words {
        switch self {
        case .unsafeFile(let path, let reason):
            (.unsafeFile, Self.text(of: reason, at: path), "hsip doctor")
        case .unsuitableFileSystem:
            (
                .unsuitableFileSystem,
                "the vault is on a network file system, where file locks are not reliable",
                "hsip doctor"
            )
        case .notAVault:
            (.notAVault, "the file is not a vault", "hsip vault repair -o NEW  if it was one")
        case .newerFormat: (.newerFormat, "a newer program made the vault", "update hsip")
        case .newerRecord: (.newerRecord, "a newer program wrote the record", "update hsip")
        case .schemaTampered:
            (.schemaTampered, "the vault file was tampered with (schema)", "hsip vault repair -o NEW")
        case .tampered(.record(let record)):
            (.tampered, "\(record.words) is damaged and cannot be read", "hsip vault repair -o NEW")
        case .tampered(.recordSet(let lane)):
            (
                .tampered, "records are missing from the vault, or old records were put back (lane \(lane))",
                "hsip vault repair -o NEW"
            )
        case .tampered: (.tampered, "the vault was tampered with, or is damaged", "hsip vault repair -o NEW")
        case .corrupt:
            (.corrupt, "the vault file is damaged", "hsip vault repair -o NEW  or restore a backup")
        case .alreadyExists: (.alreadyExists, "the vault already exists", "hsip status")
        case .notFound: (.notFound, "there is no vault yet", "hsip init")
        case .wrongSecret: (.wrongSecret, "wrong passphrase or recovery code", nil)
        case .noSuchSlot: (.noSuchSlot, "the vault has no such key slot", "hsip vault slot list")
        case .kdfOutOfBounds:
            (.kdfOutOfBounds, "the vault's settings for password hashing are outside the accepted range", nil)
        case .outOfMemory: (.outOfMemory, "the system has not enough free memory", nil)
        case .mistyped: (.mistyped, "the recovery code is mistyped", "check the code block by block")
        case .slotLimit: (.slotLimit, "the vault has too many key slots", "hsip vault slot list")
        case .lastSlot:
            (
                .lastSlot,
                "this is the last slot that opens the vault on another machine; add another slot first",
                "hsip vault slot add recovery"
            )
        case .locked:
            (
                .locked, "the vault is locked, and hsip cannot ask for its passphrase here",
                "--passphrase-file FILE"
            )
        case .rollback:
            (
                .rollback, "the vault is OLDER than the one last seen here: an old copy was put back",
                "put the newest vault back, or accept this one: hsip vault restore --accept-rollback"
            )
        case .fork:
            (
                .fork,
                "the vault is not a successor of the one last seen here: two copies were changed separately",
                "put the other vault back, or accept this one: hsip vault restore --accept-rollback"
            )
        case .anchorRequired:
            (
                .anchorRequired,
                "this machine has no record of the vault's last state, and hsip requires one here", nil
            )
        case .anchorNotWritten(let path, let isMade):
            (
                .anchorNotWritten,
                (isMade ? "the change is made, but " : "")
                    + "the record of the vault's last state could not be written to \(path), and this keyring may lose "
                    + "the last change: without that record a message key could be used twice",
                "make the file writable, on a disk with free space"
                    + (isMade ? "; do not repeat the change" : ", and try again")
            )
        case .rekeyed: (.rekeyed, "the vault got a new key meanwhile; open the vault again", nil)
        case .conflict: (.conflict, "the vault changed meanwhile", "try again")
        case .noSessionBus: KeyringText(here: .here()).noSessionBus
        case .noSecretService: KeyringText(here: .here()).noSecretService
        case .ownProvider:
            (
                .ownProvider,
                "the keyring of this session is a vault of hsip, which cannot keep another vault",
                "keep the vault in a file; a vault in the desktop keyring opens after hsip setup keyring --undo"
            )
        case .noSecretLibrary: (.noSecretLibrary, "libsecret is not installed", "apt install libsecret-1-0")
        case .noSuchCollection:
            (.noSuchCollection, "the session has no such keyring", "hsip doctor")
        case .keyringLocked:
            (
                .keyringLocked, "the keyring is locked, and hsip could not ask anyone to unlock it",
                "hsip vault check  at the desktop, which asks for its password"
            )
        case .promptDismissed:
            (.promptDismissed, "the keyring is still locked: its prompt was closed", "try again")
        case .keyringTimeout: (.keyringTimeout, "the keyring did not answer in time", "hsip doctor")
        case .keyringDied: (.keyringDied, "the keyring ended in the middle of a call", "try again")
        case .keyringRefused(let code):
            (.keyringRefused, "the keyring refused a call (\(code))", "hsip doctor")
        case .cancelled: (.cancelled, "the call was cancelled", nil)
        case .busy: (.busy, Self.busyText, "try again")
        case .commitUnknown:
            (.commitUnknown, "hsip does not know whether the last write is on the disk", "hsip vault check")
        case .invalidRecord: (.invalidRecord, "the change would break the rules of the vault", nil)
        case .readOnly: (.readOnly, "this process may not write to the vault", nil)
        case .readOnlyWithLog:
            (
                .readOnlyWithLog, "the vault is on a read-only medium and has an open log",
                "copy its folder to another disk first"
            )
        case .diskFull: (.diskFull, "the disk is full; nothing changed", nil)
        case .io(code: ELIBACC): (.io, "SQLite cannot be loaded", "apt install libsqlite3-0")
        case .io(let code): (.io, "reading or writing the vault failed: \(Self.reason(code))", "hsip doctor")
        }
    }

    private static func reason(_ code: Int32) -> String {
        guard code > 0 else { return "error \(code) of the file" }
        return code < sqliteCodes
            ? unsafe String(cString: strerror(code)) : "error \(code - sqliteCodes) of SQLite"
    }

    private static func text(of reason: UnsafeReason, at path: String) -> String {
        switch reason {
        case .wrongType: "\(path) is not a regular file or folder"
        case .owner(let uid): "\(path) belongs to user \(uid), not to you"
        case .mode(let mode):
            "\(path) must be private: it has mode \(String(mode, radix: 8)), and "
                + "\(mode & 0o100 == 0 ? 600 : 700) is needed"
        case .hardLinks(let links): "\(path) has \(links) hard links, and must have only one"
        case .writableAncestor(let mode):
            "\(path) has mode \(String(mode, radix: 8)), so other users can replace the files in it"
        case .moved: "\(path) was removed or replaced while the vault was open; nothing was written"
        case .hidden: "you may not enter the folder of \(path)"
        }
    }
}
