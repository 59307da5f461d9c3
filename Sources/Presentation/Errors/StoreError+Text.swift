internal import Glibc
package import RecordStore
internal import VaultLifecycle

extension StoreError: Explainable {
    package var explanation: ErrorText {
        ErrorText(words, details: StoreDetails.of(self, here: HostEnvironment.here().rawValue))
    }

    /// Another process writes to the vault, and did so for ten seconds.
    package static let busyText = "another process holds the vault"

    private var words: ErrorText.Words {
        switch self {
        case .unsafeFile(let path, let reason):
            (.unsafeFile, "\(path) is not safe to use: \(Self.text(of: reason))", "hsip doctor")
        case .unsuitableFileSystem:
            (
                .unsuitableFileSystem, "the vault lies on a network file system, where locks do not hold",
                "hsip doctor"
            )
        case .notAVault:
            (.notAVault, "this file is not a vault", "hsip vault repair -o NEW  if it was one")
        case .newerFormat: (.newerFormat, "the vault was made by a newer program", "update hsip")
        case .newerRecord: (.newerRecord, "the record was made by a newer program", "update hsip")
        case .schemaTampered:
            (.schemaTampered, "the vault file was tampered with (schema)", "hsip vault repair -o NEW")
        case .tampered(.record(let record)):
            (.tampered, "\(record.words) is damaged and cannot be read", "hsip vault repair -o NEW")
        case .tampered(.recordSet(let lane)):
            (
                .tampered, "records are missing from the vault, or old ones were put back (lane \(lane))",
                "hsip vault repair -o NEW"
            )
        case .tampered: (.tampered, "the vault was tampered with, or is damaged", "hsip vault repair -o NEW")
        case .corrupt:
            (.corrupt, "the vault file is damaged", "restore a backup, or: hsip vault repair -o NEW")
        case .alreadyExists: (.alreadyExists, "there is a vault already", "hsip status")
        case .notFound: (.notFound, "there is no vault here", "hsip init")
        case .wrongSecret: (.wrongSecret, "wrong passphrase or recovery code", nil)
        case .noSuchSlot: (.noSuchSlot, "there is no such key slot", "hsip vault slot list")
        case .kdfOutOfBounds:
            (.kdfOutOfBounds, "the vault asks for password hashing outside the accepted range", nil)
        case .outOfMemory: (.outOfMemory, "not enough memory", nil)
        case .mistyped: (.mistyped, "the recovery code is mistyped", "check it block by block")
        case .slotLimit: (.slotLimit, "there are too many key slots", "hsip vault slot list")
        case .lastSlot:
            (
                .lastSlot, "this is the last slot that opens the vault anywhere; add another first",
                "hsip vault slot add recovery"
            )
        case .locked:
            (
                .locked, "the vault is locked, and there is nowhere to ask for its passphrase",
                "--passphrase-file FILE"
            )
        case .rollback:
            (
                .rollback, "the vault is OLDER than the one seen here last: a copy was put back",
                "put the newest one back, or take this one: hsip vault restore --accept-rollback"
            )
        case .fork:
            (
                .fork, "the vault is another branch than the one seen here last",
                "put that one back, or take this one: hsip vault restore --accept-rollback"
            )
        case .anchorRequired:
            (.anchorRequired, "there is no record here of the vault's last state, and one is required", nil)
        case .anchorNotWritten(let path, let isMade):
            (
                .anchorNotWritten,
                (isMade ? "the change is made, but " : "")
                    + "the record of the vault's last state could not be written to \(path), and this keyring may lose "
                    + "the last change: without that record a message key could be used twice",
                "make that file writable, on a disk with free space"
                    + (isMade ? "; do not repeat the change" : ", and try again")
            )
        case .rekeyed: (.rekeyed, "the vault got a new key meanwhile; open it again", nil)
        case .conflict: (.conflict, "the vault changed meanwhile", "try again")
        case .noSessionBus: KeyringText(here: .here()).noSessionBus
        case .noSecretService: KeyringText(here: .here()).noSecretService
        case .ownProvider:
            (
                .ownProvider,
                "the Secret Service of this session is a vault of hsip, and keeps no part of a vault",
                "keep the vault in a file; one in the desktop's keyring opens after hsip setup keyring --undo"
            )
        case .noSecretLibrary: (.noSecretLibrary, "libsecret is not installed", "apt install libsecret-1-0")
        case .noSuchCollection:
            (.noSuchCollection, "the Secret Service has no such keyring", "hsip doctor")
        case .keyringLocked:
            (
                .keyringLocked, "the keyring is locked, and hsip could not ask anyone to unlock it",
                "hsip vault check  at the desktop, which asks for its password"
            )
        case .promptDismissed:
            (.promptDismissed, "the keyring stays locked: its prompt was closed", "try again")
        case .keyringTimeout: (.keyringTimeout, "the keyring did not answer in time", "hsip doctor")
        case .keyringDied: (.keyringDied, "the keyring went away in the middle of a call", "try again")
        case .keyringRefused(let code):
            (.keyringRefused, "the keyring refused a call (\(code))", "hsip doctor")
        case .cancelled: (.cancelled, "the call was cancelled", nil)
        case .busy: (.busy, Self.busyText, "try again")
        case .commitUnknown:
            (.commitUnknown, "the last write may or may not be on the disk", "hsip vault check")
        case .invalidRecord: (.invalidRecord, "a record would break the rules of the vault", nil)
        case .readOnly: (.readOnly, "the vault may not be written", nil)
        case .readOnlyWithLog:
            (
                .readOnlyWithLog, "the vault lies on a read-only medium with an open log",
                "copy the folder first"
            )
        case .diskFull: (.diskFull, "the disk is full; nothing was changed", nil)
        case .io(let code): (.io, "reading or writing the vault failed: \(Self.reason(code))", "hsip doctor")
        }
    }

    private static func reason(_ code: Int32) -> String {
        guard code > 0 else { return "error \(code) of the file" }
        return code < sqliteCodes
            ? unsafe String(cString: strerror(code)) : "error \(code - sqliteCodes) of SQLite"
    }

    private static func text(of reason: UnsafeReason) -> String {
        switch reason {
        case .wrongType: "it is a link, a pipe or something else that is no regular file or folder"
        case .owner(let uid): "it belongs to user \(uid)"
        case .mode(let mode): "its mode \(String(mode, radix: 8)) lets other users in"
        case .hardLinks(let links): "it has \(links) names"
        case .writableAncestor(let mode): "others may replace what is in it (mode \(String(mode, radix: 8)))"
        case .moved: "it was removed or replaced while the vault was open; nothing was written"
        case .hidden: "the folder it lies in may not be entered"
        }
    }
}
