package import VaultCrypto

/// Every refusal and failure of a store.
///
/// Payloads are numbers, paths and identifiers, never content. Unless a case says otherwise, a failed
/// operation has changed nothing.
public enum StoreError: Error, Equatable, Sendable, Codable {
    // The file
    /// Permissions, owner or type of `path` would let another user read or change the vault.
    case unsafeFile(path: String, UnsafeReason)
    /// The vault is on a network file system, but a write-ahead log needs shared memory and locks of one
    /// host; `type` as in statfs.
    case unsuitableFileSystem(type: UInt32)
    case notAVault
    /// A newer program made the file: not read, not written.
    case newerFormat(found: UInt32, supported: UInt32)
    /// The record was written by a newer program and cannot be read, replaced or deleted by this one.
    case newerRecord
    /// The tables are not exactly the three of format 1: someone has added something.
    case schemaTampered
    case tampered(TamperedPart)
    /// The file is cut short, or damaged below the level of records.
    case corrupt
    case alreadyExists
    case notFound
    // Unlocking
    case wrongSecret
    /// The vault has no slot of the requested kind.
    case noSuchSlot
    /// The parameters of the password hash are outside the accepted range; nothing was computed.
    case kdfOutOfBounds
    case outOfMemory
    /// The check part of a recovery code does not match: a typing error.
    case mistyped
    case slotLimit
    /// The last slot that works on another machine cannot be removed.
    case lastSlot
    case locked
    // History
    /// The file is older than one seen before: it was replaced by an old copy.
    case rollback(found: Position, expected: Position)
    /// The file is as old as one seen before, but has another history.
    case fork
    /// This machine has no anchor, and the caller requires one.
    case anchorRequired
    /// The anchor could not be synced to the disk, and the service may lose what it acknowledged: without the
    /// anchor a number could be used twice. What a commit wrote counts as used.
    ///
    /// `isMade` says that the change was made anyway: repeating it would make it twice.
    case anchorNotWritten(path: String, isMade: Bool)
    /// Another process changed the vault key; unlock again.
    case rekeyed
    // The Secret Service
    /// There is no session bus, as in a login over SSH or without a desktop, or in a container.
    case noSessionBus
    /// The session bus has no Secret Service, and none could be started.
    case noSecretService
    /// The Secret Service of this session is a vault of hsip, and no vault may be kept in one.
    case ownProvider
    /// libsecret is not installed.
    case noSecretLibrary
    /// The Secret Service has no collection of that name, or no default collection.
    case noSuchCollection
    /// The collection is locked, and the caller allows no question.
    case keyringLocked
    /// A person declined to unlock the collection.
    case promptDismissed
    /// The Secret Service did not answer in time; after a write its outcome is open, as with `commitUnknown`.
    case keyringTimeout
    /// The Secret Service or the bus ended during a call.
    case keyringDied
    /// The Secret Service refused a call; `code` is GLib's error number.
    case keyringRefused(code: Int32)
    /// The caller cancelled the call.
    case cancelled
    // Committing
    /// A revision is not the expected one, or the floor has changed: load again.
    case conflict
    case busy
    /// The commit failed and may have been made; what it wrote counts as used.
    case commitUnknown
    case invalidRecord(InvalidRecord)
    case readOnly
    /// The vault is on a read-only medium with a write-ahead log: copy the folder first.
    case readOnlyWithLog
    case diskFull
    /// Any other system error by its number: errno, or from `sqliteCodes` on one of SQLite's.
    case io(code: Int32)

    /// The offset of SQLite's error numbers, which keeps them apart from errno.
    public static let sqliteCodes: Int32 = 1 << 16
}

/// The reason why a file or folder is not trusted with a vault.
public enum UnsafeReason: Equatable, Sendable, Codable {
    /// Not a regular file (or, for a folder, not a directory): a link, a pipe, a device.
    case wrongType
    /// Owned by user `uid`, neither by us nor, for an ancestor, by root.
    case owner(uid: UInt32)
    /// Group or others may use it; `mode` is the permission part.
    case mode(UInt32)
    /// The file has more than one name: `links` hard links.
    case hardLinks(UInt64)
    /// An ancestor folder that group or others may write to and that is not sticky.
    case writableAncestor(mode: UInt32)
    /// The file was removed or replaced while the vault was open.
    case moved
    /// The folder of the file may not be entered.
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
    /// Converts the error of a primitive.
    ///
    /// A failed authentication is reported as a `TamperedPart` by the code that knows the part; here it can
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
    /// The info of a record; `row` is the 16-byte id of the row.
    case meta(row: [UInt8])
    /// The secret of a row; `row` is the 16-byte id of the row.
    case body(row: [UInt8])
    /// A record, by its name if that is known.
    case record(DamagedRecord)
}
