package import VaultCrypto

/// Every refusal and failure of a store.
///
/// Payloads are numbers, paths and identifiers, never content. Unless a case says otherwise, a failed act has
/// changed nothing.
public enum StoreError: Error, Equatable, Sendable, Codable {
    // The file
    /// Permissions, owner or type of `path` would let another user read or change the vault.
    case unsafeFile(path: String, UnsafeReason)
    /// A network file system: a write-ahead log needs shared memory and locks of one host. `type` as in statfs.
    case unsuitableFileSystem(type: UInt32)
    case notAVault
    /// Made by a newer program: not read, not written.
    case newerFormat(found: UInt32, supported: UInt32)
    /// The record was written by a newer program and cannot be read, replaced or deleted by this one.
    case newerRecord
    /// The tables are not exactly the three of format 1: something was planted.
    case schemaTampered
    case tampered(TamperedPart)
    /// The file is damaged below the level of records, or cut short.
    case corrupt
    case alreadyExists
    case notFound
    // Unlocking
    case wrongSecret
    /// No slot of the asked kind.
    case noSuchSlot
    /// Password-hash parameters outside the accepted range; nothing was computed.
    case kdfOutOfBounds
    case outOfMemory
    /// The check part of a recovery code does not fit: mistyped.
    case mistyped
    case slotLimit
    /// The last slot that works on another machine stays.
    case lastSlot
    case locked
    // History
    /// The file is older than what was seen before: an old copy was put in place.
    case rollback(found: Position, expected: Position)
    /// As old as what was seen before, but another history.
    case fork
    /// No anchor is here and the caller insists on one.
    case anchorRequired
    /// The anchor could not be brought to the disk, and the service may lose what it acknowledged: without the
    /// anchor a number could come twice. What a commit wrote counts as used.
    ///
    /// `isMade` says that the change stands all the same: doing it again would do it twice.
    case anchorNotWritten(path: String, isMade: Bool)
    /// The vault key was changed by another process; unlock again.
    case rekeyed
    // The Secret Service
    /// No session bus is here: a login without a desktop, over SSH, in a container.
    case noSessionBus
    /// The session bus has no Secret Service, and none could be started.
    case noSecretService
    /// The Secret Service of this session is a vault of hsip: nothing of a vault is kept in one.
    case ownProvider
    /// libsecret is not installed.
    case noSecretLibrary
    /// The Secret Service has no collection of that name, or no default one.
    case noSuchCollection
    /// The collection is locked, and no one may be asked.
    case keyringLocked
    /// A person was asked to unlock the collection and said no.
    case promptDismissed
    /// The Secret Service did not answer in time; after a write its outcome is open, as with `commitUnknown`.
    case keyringTimeout
    /// The Secret Service or the bus went away in the middle of a call.
    case keyringDied
    /// The Secret Service refused a call; `code` is GLib's number of the error.
    case keyringRefused(code: Int32)
    /// The caller cancelled the call.
    case cancelled
    // Committing
    /// A revision is not the expected one, or the floor has moved: load again.
    case conflict
    case busy
    /// The commit failed in a way that leaves its outcome open; what it wrote counts as used.
    case commitUnknown
    case invalidRecord(InvalidRecord)
    case readOnly
    /// On a read-only medium with a write-ahead log beside it: copy the folder first.
    case readOnlyWithLog
    case diskFull
    /// Any other failure of the system, by its number: errno, or from `sqliteCodes` on one of SQLite's.
    case io(code: Int32)

    /// What SQLite's own numbers are counted from, so that none is taken for one of the system.
    public static let sqliteCodes: Int32 = 1 << 16
}

/// Why a file or folder is not trusted with a vault.
public enum UnsafeReason: Equatable, Sendable, Codable {
    /// Not a regular file (or, for a folder, not a directory): a link, a pipe, a device.
    case wrongType
    /// Owned by user `uid`, neither by us nor, for an ancestor, by root.
    case owner(uid: UInt32)
    /// Group or others may use it; `mode` is the permission part.
    case mode(UInt32)
    /// It has more than one name: `links` hard links.
    case hardLinks(UInt64)
    /// An ancestor folder that group or others may write to and that is not sticky.
    case writableAncestor(mode: UInt32)
    /// It was taken away, or another was put in its place, while the vault was open.
    case moved
    /// The folder that it lies in may not be entered.
    case hidden
}

/// The rule that a record to be written breaks (Schemas/vault-file.md section 3).
public enum InvalidRecord: Equatable, Sendable, Codable {
    case kind
    case name
    case label
    case attributeCount
    case attributeName
    case attributeValue
    /// Kind, name, label and attributes together are too long.
    case meta
    case body
    case uid
    /// A change set names the same record twice.
    case repeatedID
    /// A slot's secret or label is out of bounds.
    case slot
}

extension StoreError {
    /// A failure of a primitive, as a store tells it.
    ///
    /// Failed authentication has a place (`TamperedPart`) and is told where the place is known; here it can
    /// only mean bytes that no writer produces.
    package init(_ error: CryptoError) {
        switch error {
        case .outOfMemory: self = .outOfMemory
        case .parametersOutOfBounds: self = .kdfOutOfBounds
        case .checkFailed, .malformedText: self = .mistyped
        case .authenticationFailed, .wrongSize, .badPublicKey: self = .corrupt
        }
    }
}

/// The part of a vault that failed its authentication.
public enum TamperedPart: Equatable, Sendable, Codable {
    /// The head: keys, epoch, count, sums.
    case head
    /// The key slots as a whole.
    case slots
    /// The set of rows in one of the 128 lanes: a row was added, removed, moved or put back.
    case recordSet(lane: Int)
    /// What a row says about its record; `row` is the 16-byte id of the row.
    case meta(row: [UInt8])
    /// The secret of a row; `row` is the 16-byte id of the row.
    case body(row: [UInt8])
    /// A record, by its name where that can be told.
    case record(DamagedRecord)
}
