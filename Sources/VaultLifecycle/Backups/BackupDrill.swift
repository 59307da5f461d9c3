package import FileStore
package import RecordStore
internal import VaultCrypto

/// A trial of a backup with what would open it in need: a real restore into a home of its own, which is removed.
package struct BackupDrill {
    /// What it brought back.
    package struct Outcome {
        package let vaultID: [UInt8]
        /// The backup, as it was read before the restore.
        package let backup: VerifyReport
        /// How many records there are of each kind; one of each was opened.
        package let kinds: [RecordKind: Int]
        /// When the backup was written, Unix seconds.
        package let writtenAt: Int64
    }

    /// The backup, an absolute path.
    package let file: String
    private let place: VaultPlace

    /// A trial of one file; `place` is the vault that it is remembered for.
    ///
    /// - Throws: `RestoreError.isVault` for the vault itself, which is lost with its disk; `noCurrentFolder`.
    package init(_ file: String, for place: VaultPlace) throws {
        self.file = try AbsolutePath.of(file)
        self.place = place
        guard !Path.isSame(self.file, place.file) else { throw RestoreError.isVault }
    }

    /// Restores the backup to an empty home, opens the restored vault with the same secret, and reads it.
    ///
    /// - Parameters:
    ///   - source: gives the secret of the backup.
    ///   - isPaper: whether only a recovery code is accepted.
    ///   - progress: Shows the progress.
    ///   - now: Unix seconds.
    /// - Returns: what was restored; this machine remembers the trial.
    /// - Throws: `RestoreError`; what opening and restoring throw; `corrupt` if less was restored than was in the backup.
    package func run(
        by source: any SecretSource,
        onPaper isPaper: Bool,
        showing progress: any Progress,
        now: Int64
    ) throws -> Outcome {
        let home = try ScratchHome.make(in: place.paths.anchorFolder)
        let scratch = try VaultPlace("vault", home.environment)
        let locator = VaultLocator(scratch, home.environment)
        let unlocker = VaultUnlocker(locator, showing: progress)
        let reading = try BackupReading(file)
        let restore = try VaultRestore.begin(file, at: locator, replaces: false, now: now)
        let typed = TriedSecret(source, isPaper: isPaper)
        let opened = try restore.open(by: typed, unlocker).backup
        guard let secret = typed.last else { throw StoreError.locked }
        let outcome = try restore.place(opened, acceptsRollback: false, showing: progress, now: now)
        let store = try unlocker.open(with: secret, OpenOptions(readOnly: true))
        let restored = try store.verify()
        guard restored.records == outcome.backup.records else { throw StoreError.corrupt }
        let kinds = try Self.openOneOfEach(store)
        guard kinds.values.reduce(0, +) == restored.records else { throw StoreError.corrupt }
        store.lock()
        withExtendedLifetime(home) {}
        BackupMemory.change(of: place, outcome.vaultID) { $0.drilledAt = now }
        return Outcome(
            vaultID: outcome.vaultID,
            backup: outcome.backup,
            kinds: kinds,
            writtenAt: reading.modified
        )
    }

    private static func openOneOfEach(_ store: FileStore) throws(StoreError) -> [RecordKind: Int] {
        try store.read { reader throws(StoreError) in
            var kinds: [RecordKind: Int] = [:]
            for info in try reader.list(nil) {
                if kinds[info.id.kind] == nil, try reader.find(info.id) == nil { throw .corrupt }
                kinds[info.id.kind, default: 0] += 1
            }
            return kinds
        }
    }
}

/// A secret that is remembered after it was given, to open the same vault a second time.
private final class TriedSecret: SecretSource {
    private let source: any SecretSource
    private let isPaper: Bool
    /// What was given last.
    private(set) var last: Unlock?

    init(_ source: any SecretSource, isPaper: Bool) {
        (self.source, self.isPaper) = (source, isPaper)
    }

    var isNamed: Bool { source.isNamed }
    var isAsked: Bool { source.isAsked }
    var option: String? { source.option }

    func secret(attempt: Int) throws(OpeningError) -> SecretBytes { try source.secret(attempt: attempt) }

    func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        do throws(OpeningError) {
            let found = try source.unlock(attempt: attempt)
            guard !isPaper || found.kind == .recovery else { throw .store(.mistyped) }
            last = found
            return found
        } catch {
            guard error == .store(.mistyped), !source.isNamed, attempt < 3 else { throw error }
            source.tell(slip: .mistyped)
            return try unlock(attempt: attempt + 1)
        }
    }

    func tell(slip: StoreError) { source.tell(slip: slip) }
}
