package import FileStore
package import RecordStore
internal import SecretServiceStore
internal import VaultCrypto

/// Rotated backups of a vault in a folder: an expired copy is removed once a newer one was read whole.
package struct FolderBackup {
    /// Why no backup is made; nothing was changed.
    package enum Refusal: Error, Equatable, Sendable {
        /// The folder does not exist, for example because its disk is not connected.
        case noPlace(path: String)
        /// The path is not a folder.
        case notAFolder(path: String)
        /// The folder has no whole copy under the present key of the vault.
        case noNewerCopy
    }

    /// The result.
    package struct Outcome {
        package let made: MadeBackup
        /// Older copies that were removed.
        package let removed: [String]
        /// How many copies that were read whole are in the folder; nil if they were not counted.
        package let left: Int?
        /// Whether the folder is on the same disk as the vault.
        package let isOnSameDisk: Bool
    }

    /// The folder, an absolute path.
    package var path: String { folder.path }
    let folder: BackupFolder
    let place: VaultPlace
    let vaultID: [UInt8]
    /// A path on the vault's disk; for a vault in the keyring, one in the user's folders.
    private let home: String

    /// Checks the folder, so that a refusal comes before any prompt.
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

    /// Copies the vault if it has changed, and removes copies that are not to be kept.
    ///
    /// - Parameters:
    ///   - store: the vault with its keys; nil for a copy made without keys, which removes no older copy.
    ///   - retention: which copies stay.
    ///   - progress: Shows the progress.
    ///   - now: Unix seconds.
    /// - Returns: the copy, and which copies were removed.
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

    /// Copies a vault in the keyring, which has a key for its backups, if it has changed; removes expired copies.
    ///
    /// - Throws: `busy`; `noSuchSlot` if the vault does not have that key; what making the copy throws.
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

    /// Removes expired copies after one was read whole; needs the vault's keys.
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
        // A copy that is found unchanged, without the keys, keeps its entry; one without an entry gets one.
        if made.isNew || thin != nil || known.check(of: made.copy) == nil { remember(made, at: now) }
        guard let thin, made.check == .full else { return outcome(made) }
        let seen = BackupMemory(place, vaultID)
        let (removed, left) = try progress.during(.backingUp) { () throws(StoreError) in
            try thin(made) { seen.isFull($0) }
        }
        return thinned(made, removed, left)
    }

    /// Copies in the folder from before the vault's key changed: they open, but can no longer replace the vault.
    ///
    /// - Parameter store: The vault with its keys, which vouches for the number of its key.
    /// - Returns: the copies.
    /// - Throws: `Refusal.noNewerCopy` if no whole newer copy exists; `io`.
    package func fromOldKeys(_ store: FileStore) throws -> [BackupCopy] {
        let old = try folder.copies(of: vaultID, before: try store.status().position.epoch)
        guard try old.isEmpty || store.hasWholeCopy(in: folder) else { throw Refusal.noNewerCopy }
        return old
    }

    /// Copies in the folder from before the key epoch of a vault in the keyring; they can no longer replace it.
    package func fromOldKeys(_ copies: KeyringCopies) throws -> [BackupCopy] {
        let old = try folder.copies(of: vaultID, before: try copies.store.status().position.epoch)
        guard try old.isEmpty || copies.hasKey() && copies.hasWholeCopy(in: folder) else {
            throw Refusal.noNewerCopy
        }
        return old
    }

    /// Removes copies whose files have not changed since they were listed.
    ///
    /// - Returns: the paths that were removed.
    package func remove(_ copies: [BackupCopy]) throws(StoreError) -> [String] {
        let lock = try lock()
        defer { lock.giveBack() }
        let gone = try folder.remove(copies)
        remember([], without: gone)
        return gone.map(\.path)
    }

    /// The result if older copies were not thinned.
    func outcome(_ made: MadeBackup) -> Outcome {
        Outcome(made: made, removed: [], left: nil, isOnSameDisk: isOnSameDisk)
    }

    /// The result after thinning; whole copies are remembered, and removed copies are forgotten.
    func thinned(_ made: MadeBackup, _ removed: [BackupCopy], _ left: [BackupCopy]) -> Outcome {
        remember(left, without: removed)
        return Outcome(
            made: made,
            removed: removed.map(\.path),
            left: left.count,
            isOnSameDisk: isOnSameDisk
        )
    }

    /// Locks the vault's backups, so that one is made at a time.
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

    /// Remembers copies that were read whole, and forgets copies that were removed.
    func remember(_ whole: [BackupCopy], without gone: [BackupCopy]) {
        let isOnSameDisk = isOnSameDisk
        BackupMemory.change(of: place, vaultID) {
            $0.forget(gone.map(\.path))
            $0.note(readWhole: whole, isOnSameDisk: isOnSameDisk)
        }
    }

    var isOnSameDisk: Bool { BackupMemory.isOnSameDisk(folder.path, as: home) }

    /// The path without slashes at the end: paths of copies are compared with remembered paths.
    private static func bare(_ path: String) -> String {
        let end = path.lastIndex { $0 != "/" }
        return end.map { String(path[...$0]) } ?? "/"
    }
}
