package import FileStore
package import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

/// Backups of a vault in a folder, by generations: what is not to be kept goes when a newer one was read whole.
package struct FolderBackup {
    /// Why there is none; nothing was changed.
    package enum Refusal: Error, Equatable, Sendable {
        /// There is no such folder, as when its disk is not connected.
        case noPlace(path: String)
        /// What has this name is no folder.
        case notAFolder(path: String)
        /// No copy under the present key of the vault is there and whole.
        case noNewerCopy
    }

    /// The result.
    package struct Outcome {
        package let made: MadeBackup
        /// Older ones that are gone.
        package let removed: [String]
        /// How many that were read whole are there; nil where that was not looked at.
        package let left: Int?
        /// The folder is on a disk with the vault.
        package let isOnSameDisk: Bool
    }

    /// The folder, an absolute path.
    package var path: String { folder.path }
    let folder: BackupFolder
    let place: VaultPlace
    let vaultID: [UInt8]
    /// What lies on the disk that the vault is on: of the keyring the user's folders.
    private let home: String

    /// Checks the folder before a person is asked for anything.
    ///
    /// - Throws: `Refusal`; `noCurrentFolder`.
    package init(_ path: String, of found: FoundVault, at place: VaultPlace) throws {
        let path = try AbsolutePath.of(path)
        do throws(StoreError) {
            folder = try BackupFolder(Self.bare(path), label: BackupName.label(of: place.key))
        } catch .notFound {
            throw Refusal.noPlace(path: path)
        } catch .unsafeFile {
            throw Refusal.notAFolder(path: path)
        } catch {
            throw error
        }
        (self.place, vaultID) = (place, found.vaultID)
        home = found.backend == .file ? place.file : place.paths.anchorFolder
    }

    /// Copies the vault where something has changed, and removes what is not to be kept.
    ///
    /// - Parameters:
    ///   - store: the vault with its keys; nil for a copy without them, which lets nothing go.
    ///   - retention: which copies stay.
    ///   - progress: Shows that it goes on.
    ///   - now: Unix seconds.
    /// - Returns: the copy, and what is gone.
    /// - Throws: `busy` while another backup of the vault is being made; what making the copy throws.
    package func run(
        _ store: FileStore?,
        keeping retention: Retention,
        showing progress: any Progress,
        now: Int64
    ) throws(StoreError) -> Outcome {
        guard let store else {
            return try run(showing: progress, now: now, thin: nil) { known throws(StoreError) in
                try SealedVault(place.paths, entropy: .system)
                    // Without the keys it cannot be determined whether the vault is still damaged in the same way.
                    .backUp(into: folder, at: now) { copy in
                        known.check(of: copy).flatMap { $0 == .damaged ? nil : $0 }
                    }
            }
        }
        return try run(showing: progress, now: now) { made, isKnown throws(StoreError) in
            try store.thin(folder, after: made, keeping: retention, isKnown: isKnown)
        } make: { _ throws(StoreError) in
            try store.backUp(into: folder, at: now)
        }
    }

    /// The same of a vault in the keyring, which has a key for its backups.
    ///
    /// - Throws: `busy`; `noSuchSlot` without such a key; what making the copy throws.
    package func run(
        _ copies: KeyringCopies,
        keeping retention: Retention,
        showing progress: any Progress,
        now: Int64
    ) throws(StoreError) -> Outcome {
        try run(showing: progress, now: now) { made, isKnown throws(StoreError) in
            try copies.thin(folder, after: made, keeping: retention, isKnown: isKnown)
        } make: { _ throws(StoreError) in
            try copies.write(into: folder, at: now)
        }
    }

    /// What lets copies go after one was read whole; without the keys nothing does.
    private typealias Thinning = (
        MadeBackup, (BackupCopy) -> Bool
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy])

    private func run(
        showing progress: any Progress,
        now: Int64,
        thin: Thinning?,
        make: (BackupMemory) throws(StoreError) -> MadeBackup
    ) throws(StoreError) -> Outcome {
        let lock = try lock()
        defer { lock.giveBack() }
        let known = BackupMemory(place, vaultID)
        let made = try progress.during(.backingUp) { () throws(StoreError) in try make(known) }
        // A copy that is only found again without the keys was read when it is remembered to have been.
        if made.isNew || thin != nil || known.check(of: made.copy) == nil { remember(made, at: now) }
        guard let thin, made.check == .full else { return outcome(made) }
        let seen = BackupMemory(place, vaultID)
        let (removed, left) = try progress.during(.backingUp) { () throws(StoreError) in
            try thin(made) { seen.isFull($0) }
        }
        return thinned(made, removed, left)
    }

    /// Copies in the folder from before the vault's key changed: they open, and cannot be put in its place any more.
    ///
    /// - Parameter store: The vault with its keys, which vouches for the number of its key.
    /// - Returns: the copies.
    /// - Throws: `Refusal.noNewerCopy` where nothing would be left; `io`.
    package func fromOldKeys(_ store: FileStore) throws -> [BackupCopy] {
        let old = try folder.copies(of: vaultID, before: try store.status().position.epoch)
        guard try old.isEmpty || store.hasWholeCopy(in: folder) else { throw Refusal.noNewerCopy }
        return old
    }

    /// The same of a vault in the keyring: copies from before its key epoch.
    package func fromOldKeys(_ copies: KeyringCopies) throws -> [BackupCopy] {
        let old = try folder.copies(of: vaultID, before: try copies.store.status().position.epoch)
        guard try old.isEmpty || copies.hasKey() && copies.hasWholeCopy(in: folder) else {
            throw Refusal.noNewerCopy
        }
        return old
    }

    /// Removes copies that are still what they were.
    ///
    /// - Returns: the paths that are gone.
    package func remove(_ copies: [BackupCopy]) throws(StoreError) -> [String] {
        let lock = try lock()
        defer { lock.giveBack() }
        let gone = try folder.remove(copies)
        remember([], without: gone)
        return gone.map(\.path)
    }

    /// The result where no copy was let go.
    func outcome(_ made: MadeBackup) -> Outcome {
        Outcome(made: made, removed: [], left: nil, isOnSameDisk: isOnSameDisk)
    }

    /// The result where copies were; what was read whole is remembered, and what is gone forgotten.
    func thinned(_ made: MadeBackup, _ removed: [BackupCopy], _ left: [BackupCopy]) -> Outcome {
        remember(left, without: removed)
        return Outcome(
            made: made,
            removed: removed.map(\.path),
            left: left.count,
            isOnSameDisk: isOnSameDisk
        )
    }

    /// One backup of a vault at a time.
    func lock() throws(StoreError) -> HeldLock {
        let path = "\(place.paths.anchorFolder)/backing-up-\(Hex.encode(vaultID))"
        return try VaultLock(path: path, vaultID: vaultID).exclusive()
    }

    @discardableResult
    func remember(_ made: MadeBackup, at now: Int64) -> BackupMemory {
        let isOnSameDisk = isOnSameDisk
        return BackupMemory.change(of: place, vaultID) {
            $0.note(.init(made.copy, made.check, made.generation ?? 0, at: now, isOnSameDisk: isOnSameDisk))
        }
    }

    /// Remembers what was read whole, and forgets what is gone.
    func remember(_ whole: [BackupCopy], without gone: [BackupCopy]) {
        let isOnSameDisk = isOnSameDisk
        BackupMemory.change(of: place, vaultID) {
            $0.forget(gone.map(\.path))
            $0.note(readWhole: whole, isOnSameDisk: isOnSameDisk)
        }
    }

    var isOnSameDisk: Bool { BackupMemory.isOnSameDisk(folder.path, as: home) }

    /// Without slashes at the end: the paths of the copies are compared with those that are remembered.
    private static func bare(_ path: String) -> String {
        let end = path.lastIndex { $0 != "/" }
        return end.map { String(path[...$0]) } ?? "/"
    }
}
