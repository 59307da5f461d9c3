package import FileStore
package import RecordStore
internal import System
internal import VaultCrypto

/// The repair of a damaged vault file: its records are written to a new vault file.
///
/// The damaged file and its log are only read. The new file is written to the path that was asked for and replaces
/// no vault: `VaultRestore` does that.
package struct VaultRepair {
    /// Why a repair does not begin.
    package enum Refusal: Error, Equatable, Sendable {
        /// Neither the file nor its log exists.
        case noFile(path: String)
        /// A log of another vault is beside the path of the new one.
        case strayLog(path: String)
    }

    /// Kinds whose records decide who and what is trusted: a person must check them if nothing vouches for them.
    static let comparedKinds: Set = ["hsip.contact", "ssh.hostkey", "vault.rule"]

    /// The damaged vault, an absolute path.
    package let source: String
    /// The path of the new vault; nil if nothing is to be written.
    package let target: String?
    /// Absolute paths of the backups from which records may be restored.
    package let backups: [String]
    private let repairing: Repairing
    private let watch: () throws -> any Interruption

    /// Copies the damaged file beside the new one, and searches the copy.
    ///
    /// - Parameters:
    ///   - file: The damaged vault; nil for the vault that `locator` names.
    ///   - locator: Names the vault, and knows which vaults exist.
    ///   - output: The path of the new vault; nil if nothing is to be written.
    ///   - backups: Backups of the same vault.
    ///   - watch: Watches for signals during a long step.
    /// - Returns: the damaged vault, searched.
    /// - Throws: `Refusal`; `RepairRefusal`; what reading `config.json` throws; what `Repairing.begin` throws;
    ///   `ProgramError.interrupted`.
    package static func begin(
        _ file: String?,
        at locator: VaultLocator,
        into output: String?,
        with backups: [String],
        watch: @escaping () throws -> any Interruption
    ) throws -> VaultRepair {
        let place = locator.place
        let records = try locator.config.records()
        let source = try file.map { try AbsolutePath.of($0) } ?? place.file
        guard Path.exists(source) || Path.exists(source + "-wal") else {
            throw Refusal.noFile(path: source)
        }
        let target = try output.map { try AbsolutePath.of($0) }
        if let target, let stray = ["-wal", "-journal"].map({ target + $0 }).first(where: Path.exists) {
            throw Refusal.strayLog(path: stray)
        }
        let helpers = try backups.map { try AbsolutePath.of($0) }
        // The vault of this name comes first.
        let own = records[place.key]?.id
        let ids = [own].compactMap(\.self) + records.values.map(\.id).filter { $0 != own }
        let repairing = try interruptible(watch) { isStopped in
            try Repairing.begin(
                source,
                into: target,
                with: helpers,
                anchorFolder: place.paths.anchorFolder,
                known: ids.map { RepairVault(id: $0, epoch: epoch(of: $0, place)) },
                isStopped: isStopped,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        }
        return VaultRepair(
            source: source,
            target: target,
            backups: helpers,
            repairing: repairing,
            watch: watch
        )
    }

    private init(
        source: String,
        target: String?,
        backups: [String],
        repairing: Repairing,
        watch: @escaping () throws -> any Interruption
    ) {
        self.source = source
        self.target = target
        self.backups = backups
        self.repairing = repairing
        self.watch = watch
    }

    /// Runs a long step that is undone if a signal ends it.
    private static func interruptible<R>(
        _ watch: () throws -> any Interruption,
        _ body: (() -> Bool) throws -> R
    ) throws -> R {
        let signals = try watch()
        defer { signals.stop() }
        var signal: Int32?
        do {
            return try body {
                signal = signal ?? signals.caught
                return signal != nil
            }
        } catch StoreError.cancelled {
            throw signal.map { ProgramError.interrupted(signal: $0) } ?? StoreError.cancelled
        }
    }

    /// Blocks of 4 KiB that could not be read from the disk.
    package var unreadable: Int { repairing.unreadable }

    /// Whether the file has more apparent slots and heads than are tried.
    package var isCutShort: Bool { repairing.isCutShort }

    /// Whether the file itself exists, not only its log.
    package var hasFile: Bool { repairing.hasFile }

    /// Opens the damaged vault with one of its secrets or a secret of a backup.
    ///
    /// - Parameters:
    ///   - source: gives the secret.
    ///   - unlocker: tries it.
    ///   - takesAllSlots: whether slots that the head does not vouch for are used, too.
    /// - Returns: the vault, opened.
    /// - Throws: `noSuchSlot` if no slot of this kind was found; `RepairRefusal.otherBackup`;
    ///   `ProgramError.interrupted`.
    package func open(
        by source: any SecretSource,
        _ unlocker: VaultUnlocker,
        takesAllSlots: Bool = false
    ) throws -> Repairing.Opened {
        var signal: Int32?
        let opened: Repairing.Opened
        do {
            opened = try unlocker.trying(source) { secret throws(StoreError) in
                try unlocker.derivingKey(secret) { () throws(StoreError) in
                    // Signals are not watched during a prompt: a terminal ends a prompt in its own way.
                    guard let signals = try? watch() else { throw .cancelled }
                    defer { signals.stop() }
                    return try repairing.open(secret, takesAllSlots: takesAllSlots) {
                        signal = signal ?? signals.caught
                        return signal != nil
                    }
                }
            }.0
        } catch {
            throw signal.map { ProgramError.interrupted(signal: $0) } ?? error
        }
        if let other = opened.otherBackups.first { throw RepairRefusal.otherBackup(path: other) }
        return opened
    }

    /// Writes the new vault, which is read whole before it gets its name; if `target` is nil, only reports.
    ///
    /// - Parameters:
    ///   - opened: what `open` returned.
    ///   - takesMissing: whether records that only a backup has are copied.
    /// - Returns: what was found, and what the new vault is.
    /// - Throws: `alreadyExists`; `diskFull`, `io`; `corrupt` if the new vault differs from what was written;
    ///   `ProgramError.interrupted`.
    package func run(
        _ opened: Repairing.Opened,
        takesMissing: Bool
    ) throws -> (report: SalvageReport, vault: VerifyReport?) {
        let isCompared = { (kind: RecordKind) in Self.comparedKinds.contains(kind.rawValue) }
        return try Self.interruptible(watch) { isStopped in
            guard target != nil else {
                let report = try repairing.look(
                    opened,
                    takesMissing: takesMissing,
                    isStopped: isStopped,
                    isCompared: isCompared
                )
                return (report, nil)
            }
            return try repairing.write(
                opened,
                takesMissing: takesMissing,
                isStopped: isStopped,
                isCompared: isCompared
            )
        }
    }

    /// The newest key epoch of a vault that this machine saw.
    private static func epoch(of id: [UInt8], _ place: VaultPlace) -> UInt32 {
        let anchor = Anchor(path: place.paths.anchor(id), vaultID: id)
        return (try? anchor.read())?.position.epoch ?? 1
    }
}
