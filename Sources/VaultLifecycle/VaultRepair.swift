package import FileStore
package import RecordStore
internal import System
internal import VaultCrypto

/// A damaged vault file on its way into a new one.
///
/// The damaged file and its log are only read. What is made lies where it was asked for, and takes no vault's place:
/// `VaultRestore` does that.
package struct VaultRepair {
    /// Why a repair does not begin.
    package enum Refusal: Error, Equatable, Sendable {
        /// There is no such file, and no log of it either.
        case noFile(path: String)
        /// A log of another vault lies beside the place of the new one.
        case strayLog(path: String)
    }

    /// Kinds whose records decide who and what is trusted: to be looked at where nothing vouches for them.
    static let comparedKinds: Set = ["hsip.contact", "ssh.hostkey", "vault.rule"]

    /// The damaged vault, an absolute path.
    package let source: String
    /// Where the new vault goes; nil for a look that writes nothing.
    package let target: String?
    /// The backups that help, absolute paths.
    package let backups: [String]
    private let repairing: Repairing
    private let watch: () throws -> any Interruption

    /// Copies the damaged file beside the new one, and searches the copy.
    ///
    /// - Parameters:
    ///   - file: The damaged vault; nil for the one that is meant by its name.
    ///   - locator: Names that vault, and knows which vaults there are.
    ///   - output: Where the new vault goes; nil for a look that writes nothing.
    ///   - backups: Backups of the same vault.
    ///   - watch: Watches for signals while something is done that takes long.
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

    /// Does what takes long and is taken back where a signal ends it.
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

    /// Blocks of 4 KiB that the disk did not give back.
    package var unreadable: Int { repairing.unreadable }

    /// Whether the file has more that looks like slots and heads than is tried.
    package var isCutShort: Bool { repairing.isCutShort }

    /// Whether the file itself was there, not only its log.
    package var hasFile: Bool { repairing.hasFile }

    /// Opens the damaged vault by one of its secrets, or by one of a backup's.
    ///
    /// - Parameters:
    ///   - source: gives the secret.
    ///   - unlocker: tries it.
    ///   - takesAllSlots: whether slots that the head does not vouch for are taken, too.
    /// - Returns: the vault, opened.
    /// - Throws: `noSuchSlot` where no slot of this kind was found; `RepairRefusal.otherBackup`;
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
                    // Not while somebody is asked: a terminal has its own way to end.
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

    /// Writes the new vault, which is read whole before it gets its name; without a place for it, nothing.
    ///
    /// - Parameters:
    ///   - opened: what `open` returned.
    ///   - takesMissing: whether records that only a backup has are taken.
    /// - Returns: what was found, and what the new vault is.
    /// - Throws: `alreadyExists`; `diskFull`, `io`; `corrupt` where the new vault is not what was written;
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
