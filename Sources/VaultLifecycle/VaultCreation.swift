package import FileStore
internal import Glibc
package import RecordStore
package import SecretServiceStore
package import VaultCrypto

/// Makes a vault, and writes down that it was made.
package struct VaultCreation {
    private let locator: VaultLocator
    private let progress: any Progress

    package init(at locator: VaultLocator, showing progress: any Progress = NoProgress()) {
        self.locator = locator
        self.progress = progress
    }

    /// A new vault's id, 16 random bytes.
    package static func newID() -> [UInt8] { Entropy.system.bytes(16) }

    /// Makes a vault file, durably, and writes down that it was made.
    ///
    /// The record comes after the vault because it names the vault's id. If the program is stopped in between,
    /// every command finds the vault and refuses it (exit 12); `doctor --fix` repairs that.
    ///
    /// - Parameters:
    ///   - slots: At least one slot of a portable kind.
    ///   - id: The vault's id, from `newID`.
    ///   - reason: Why the vault is a file.
    ///   - undo: Called if no vault was made, to discard a code that opens nothing. A code that may open something
    ///     is never lost.
    /// - Returns: The new vault, open.
    /// - Throws: as `FileStore.create`; what writing `config.json` throws.
    package func makeFile(
        _ slots: [NewSlot],
        id: [UInt8] = Self.newID(),
        _ reason: BackendReason,
        undo: () -> Void = {}
    ) throws -> FileStore {
        let place = locator.place
        let store: FileStore
        do throws(StoreError) {
            store = try progress.during(.makingFile) { () throws(StoreError) in
                try FileStore.create(
                    at: place.paths,
                    vaultID: id,
                    slots: slots,
                    entropy: .system,
                    now: SystemTime.milliseconds
                )
            }
        } catch {
            // After `alreadyExists` the file at this path is another vault: nothing was written.
            let isOther = error == .alreadyExists
            if isOther || (error != .commitUnknown && !Path.exists(place.file)) { undo() }
            throw error
        }
        var record = VaultRecord(id: store.vaultID, path: place.file, reason: reason)
        record.lacksIdentity = true
        try progress.during(.writingRecord) { try locator.config.set(record, of: place.key) }
        return store
    }

    /// Makes a vault in a keyring, and writes down that it was made.
    ///
    /// If two programs do this at once, the second is refused, so that there are never two empty vaults of one
    /// name. A person is asked before, so that no other process waits for the answer.
    ///
    /// - Throws: `alreadyExists`; `misplaced(.unrecordedInKeyring)` if the keyring holds a vault of this name.
    package func make(
        in collection: CollectionChoice,
        _ service: SecretService,
        _ reason: BackendReason
    ) throws -> SecretServiceStore {
        let place = locator.place
        let chosen = try service.collection(collection, making: true)
        var made: SecretServiceStore?
        try locator.config.change(place.key) { present in
            guard present == nil else { throw StoreError.alreadyExists }
            guard try !holdsStranger(service) else {
                throw OpeningError.misplaced(.unrecordedInKeyring(name: place.key))
            }
            let store = try SecretServiceStore.create(
                named: place.key,
                in: collection,
                paths: locator.keyringPaths,
                service: service,
                natives: .credentials,
                entropy: .system,
                now: SystemTime.milliseconds
            )
            made = store
            var record = VaultRecord(
                id: store.vaultID,
                collection: chosen.path,
                label: chosen.label,
                reason: reason
            )
            record.lacksIdentity = true
            return record
        }
        guard let made else { throw StoreError.conflict }
        return made
    }

    /// Throws if the keyring holds a vault of this name that `config.json` does not know.
    ///
    /// A new vault would be an empty one beside a full one.
    package func refuseStranger(in service: SecretService) throws {
        guard try holdsStranger(service) else { return }
        // Another first run may be recording the vault at this moment, under the lock of the file.
        try locator.config.change(locator.place.key) { present in
            guard present == nil else { throw StoreError.alreadyExists }
            return nil
        }
        throw OpeningError.misplaced(.unrecordedInKeyring(name: locator.place.key))
    }

    /// The anchor of a vault that was seen here but is not recorded: it may be in a keyring that does not answer now.
    package func forgottenAnchor() throws(OpeningError) -> String? {
        try locator.config.forgottenAnchor(in: locator.place.paths.anchorFolder)
    }

    private func holdsStranger(_ service: SecretService) throws -> Bool {
        let known = try locator.config.records().values.map(\.id)
        return try KeyringVault.exists(named: locator.place.key, besides: known, in: service)
    }
}

extension PasswordHash.Parameters {
    /// The standard cost of a guess; the lowest cost if there is less than 1 GiB of memory.
    package static var ofThisMachine: PasswordHash.Parameters {
        memory < 1 << 30 ? PasswordHash.floor : PasswordHash.standard
    }

    /// Bytes of memory of the machine, or fewer if a limit restricts this program (`ulimit -d`, `ulimit -v`).
    private static var memory: UInt64 {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        var least = pages > 0 ? UInt64(pages) * UInt64(sysconf(Int32(_SC_PAGESIZE))) : .max
        for resource in [RLIMIT_DATA, RLIMIT_AS] {
            var limit = rlimit()
            if unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 {
                least = min(least, UInt64(limit.rlim_cur))
            }
        }
        return least
    }
}
