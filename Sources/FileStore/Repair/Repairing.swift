internal import LocalState
package import RecordStore
package import VaultCrypto

/// The repair of a damaged vault file into a new one (Schemas/vault-file.md section 6).
///
/// SQLite is not asked: rows are found by their shape, in the file and in its log, and judged by their tags. The damaged
/// file is only read.
package final class Repairing {
    /// The most slots that a passphrase is tried at, and the most vaults at those that it fits: every try costs a password
    /// hash.
    private static let mostTried = 16
    private static let mostVaults = 32

    /// A damaged vault that a secret has opened.
    package struct Opened {
        /// Which vault it is.
        package let vault: RepairVault
        let keys: VaultKeys
        /// The newest head that opens.
        let head: HeadContent?
        /// Whether that head lies behind the last commit of the log, and rows beside it count as it does.
        let isHeadBehindCommits: Bool
        let slots: SlotSalvage
        /// The heads of the backups, in their order.
        let backups: [HeadContent]
        /// The newest generation that was seen in the head, the backups and the anchor.
        let newest: UInt64
        /// Whether the slot that was used is a backup's: the damaged file had none that opens.
        package let isOpenedByBackup: Bool
        /// A later key epoch of this vault that a head in the file or the anchor names; nil where there is none.
        package let laterEpoch: UInt32?
        /// Backups of another vault, or of another key of this one.
        package let otherBackups: [String]

        /// How many key slots the new vault has.
        package var slotCount: Int { slots.slots.rows.count }

        /// The key slots that were found, those that the new vault has and those that are left out.
        package var foundSlots: [SalvagedSlot] { slots.found }
    }

    let source: RepairSource
    let carved: Carver
    let backups: [RepairBackup]
    let new: String?
    let entropy: Entropy
    let now: @Sendable () -> UInt64
    private let vaults: [RepairVault]
    private let anchorFolder: String
    private let held: HeldFiles

    /// Blocks of 4 KiB that the disk did not give back.
    package var unreadable: Int { max(source.unreadable, carved.unreadable) }

    /// Whether more has the shape of slots and heads than is looked at: nobody but a person makes such a file.
    package var isCutShort: Bool { carved.isCutShort || carved.heads.count > Self.mostVaults }

    /// Whether the file itself was there, not only its log.
    package var hasFile: Bool { source.hasFile }

    /// The kinds of the key slots that were found.
    package var slotKinds: [SlotKind] {
        (carved.slots + backups.flatMap(\.slots.rows)).map(\.kind)
    }

    /// Copies the damaged file and its log beside the new vault, and searches them.
    ///
    /// - Parameters:
    ///   - file: The damaged vault; it may be gone where its log is there.
    ///   - new: Where the new vault goes; nil for a look that writes nothing.
    ///   - backups: Backups of the same vault.
    ///   - anchorFolder: Where the anchors of this machine lie.
    ///   - known: Vaults that this machine knows of, for a file that has no head.
    ///   - isStopped: Whether somebody wants it to end.
    ///   - entropy: Where nonces and names come from.
    ///   - now: The time in milliseconds of Unix time.
    /// - Returns: the damaged vault, searched and not opened yet.
    /// - Throws: `notFound`; `alreadyExists` for a new vault that is there; `notAVault` for a file with nothing of a vault
    ///   in it; `RepairRefusal`; what opening a backup throws; `diskFull`, `io`; `cancelled`.
    package static func begin(
        _ file: String,
        into new: String?,
        with backups: [String],
        anchorFolder: String,
        known: [RepairVault],
        isStopped: () -> Bool = { false },
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws -> Repairing {
        if let new, try FileFacts(new) != nil { throw StoreError.alreadyExists }
        let held = HeldFiles([file] + backups)
        var opened: [RepairBackup] = []
        for backup in backups {
            do throws(StoreError) { opened.append(try RepairBackup(backup)) } catch {
                throw RepairRefusal.badBackup(path: backup, error)
            }
        }
        let source = try RepairSource(file, beside: new, entropy, isStopped: isStopped)
        let carved = try Carver(source.images, isStopped: isStopped)
        guard !isStopped() else { throw StoreError.cancelled }
        guard !carved.isEmpty else {
            let unreadable = max(source.unreadable, carved.unreadable)
            if unreadable > 0 { throw RepairRefusal.unreadable(blocks: unreadable) }
            throw StoreError.notAVault
        }
        return Repairing(
            source: source,
            carved: carved,
            backups: opened,
            new: new,
            entropy: entropy,
            now: now,
            vaults: candidates(known, opened.map(\.vault), carved.vaults),
            anchorFolder: anchorFolder,
            held: held
        )
    }

    /// Which vaults it may be, in the order in which a secret is tried at them.
    ///
    /// What a file names may be made up: vaults that this machine or a backup knows come first, of these the ones that the
    /// file names. Of one vault the newest key epoch comes first, as the slots of before may lie in the file still.
    private static func candidates(
        _ known: [RepairVault],
        _ backups: [RepairVault],
        _ named: [RepairVault]
    ) -> [RepairVault] {
        let trusted = Set((known + backups).map(\.id))
        let present = Set((backups + named).map(\.id))
        var (first, second, last): ([RepairVault], [RepairVault], [RepairVault]) = ([], [], [])
        var seen: Set<RepairVault> = []
        for vault in known + backups + named where seen.insert(vault).inserted {
            if !trusted.contains(vault.id) {
                last.append(vault)
            } else if present.contains(vault.id) {
                first.append(vault)
            } else {
                second.append(vault)
            }
        }
        return [first, second, last].flatMap { $0.sorted { $0.epoch > $1.epoch } }
    }

    private init(
        source: RepairSource,
        carved: Carver,
        backups: [RepairBackup],
        new: String?,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64,
        vaults: [RepairVault],
        anchorFolder: String,
        held: HeldFiles
    ) {
        self.source = source
        self.carved = carved
        self.backups = backups
        self.new = new
        self.entropy = entropy
        self.now = now
        self.vaults = vaults
        self.anchorFolder = anchorFolder
        self.held = held
    }

    /// Opens the vault by a slot of the damaged file, or else of a backup.
    ///
    /// - Parameters:
    ///   - unlock: The secret.
    ///   - takesAllSlots: Whether slots that a head does not vouch for are taken, too: one that was removed may be among
    ///     them.
    /// - Returns: the vault, opened.
    /// - Throws: `noSuchSlot` where none of this kind was found; `wrongSecret`; `tampered` and `corrupt` for a backup that
    ///   is damaged itself.
    package func open(_ unlock: Unlock, takesAllSlots: Bool = false) throws(StoreError) -> Opened {
        let (vault, used, keys) = try unwrap(unlock)
        var heads: [HeadContent] = []
        for backup in backups where backup.vault == vault {
            let sealer = try Sealer(
                keys: keys,
                vaultID: vault.id,
                epoch: vault.epoch,
                entropy: entropy,
                now: now
            )
            heads.append(try backup.head(sealer))
        }
        let anchor = Anchor(path: "\(anchorFolder)/anchor-\(Hex.encode(vault.id))", vaultID: vault.id)
        let seen = (try? anchor.read())?.position
        let fromAnchor = seen?.epoch == vault.epoch ? seen?.generation ?? 0 : 0
        let known = max(heads.map(\.generation).max() ?? 0, fromAnchor)
        let (head, isHeadBehindCommits) = try newestHead(of: vault, keys, known: known)
        return Opened(
            vault: vault,
            keys: keys,
            head: head,
            isHeadBehindCommits: isHeadBehindCommits,
            slots: try SlotSalvage(
                carved.slots + backups.flatMap(\.slots.rows),
                used: used,
                head: head,
                takesAll: takesAllSlots,
                keys: keys
            ),
            backups: heads,
            newest: max(head?.generation ?? 0, known),
            isOpenedByBackup: !carved.slots.contains(used),
            laterEpoch: laterEpoch(of: vault, seen),
            otherBackups: backups.filter { $0.vault != vault }.map(\.path)
        )
    }

    /// The newest key epoch of the same vault that is named anywhere, where that is not the one that was opened.
    ///
    /// Heads are not opened for that, as the key is missing: a false one makes a repair incomplete, which is the safe
    /// side.
    private func laterEpoch(of vault: RepairVault, _ seen: Position?) -> UInt32? {
        let named = vaults.filter { $0.id == vault.id }.map(\.epoch) + [seen?.epoch].compactMap(\.self)
        return named.max().flatMap { $0 > vault.epoch ? $0 : nil }
    }

    /// The keys, from the slot that the secret opens for the newest key epoch of the vaults that this may be.
    ///
    /// After a change of the key the slots of before may still lie in the file, while those that count are in its log.
    private func unwrap(_ unlock: Unlock) throws(StoreError) -> (RepairVault, SlotRow, VaultKeys) {
        let isSlow = unlock.kind == .passphrase
        var rows: [SlotRow] = []
        // What lies further back in the log is newer.
        for row in carved.slots.reversed() + backups.flatMap(\.slots.rows)
        where unlock.kinds.contains(row.kind) && !rows.contains(row) {
            if !isSlow || rows.count < Self.mostTried { rows.append(row) }
        }
        guard !rows.isEmpty, !vaults.isEmpty else { throw StoreError.noSuchSlot }
        for vault in isSlow ? vaults.prefix(Self.mostVaults) : vaults[...] {
            // What a passphrase makes does not depend on the vault: where it does not fit, it fits for no other one.
            var others: [SlotRow] = []
            for row in rows {
                switch try Self.attempt(unlock, at: row, of: vault) {
                case .opened(let keys): return (vault, row, keys)
                case .otherVault: others.append(row)
                case .otherSecret: if !isSlow { others.append(row) }
                }
            }
            rows = others
        }
        throw StoreError.wrongSecret
    }

    /// What came of a secret at one slot.
    private enum Attempt {
        case opened(VaultKeys)
        /// It fits, and the slot is damaged or one of another vault.
        case otherVault
        case otherSecret
    }

    private static func attempt(
        _ unlock: Unlock,
        at row: SlotRow,
        of vault: RepairVault
    ) throws(StoreError) -> Attempt {
        do throws(StoreError) {
            let opened = try Keyslots([row]).unwrap(unlock, vaultID: vault.id, epoch: vault.epoch)
            return .opened(try VaultKeys(vaultKey: opened.vaultKey))
        } catch .tampered {
            return .otherVault
        } catch .wrongSecret {
            return .otherSecret
        } catch .kdfOutOfBounds {
            return .otherSecret
        }
    }

    /// The head of the highest generation that opens; nil where none does.
    ///
    /// One behind the last commit of the log is of a transaction that was given up, unless this machine or a backup knows
    /// its generation, or there is no other.
    private func newestHead(
        of vault: RepairVault,
        _ keys: VaultKeys,
        known: UInt64
    ) throws(StoreError) -> (HeadContent?, isBehindCommits: Bool) {
        var committed: HeadContent?
        var other: HeadContent?
        for place in carved.heads[vault] ?? [] {
            let place = PlaceList.Place(number: place)
            let bytes = source.images.bytes(at: place, HeadShape.before + HeadShape.longest)
            guard let row = bytes.withBytes({ HeadShape.head($0, at: HeadShape.before) }),
                row.vaultID == vault.id, row.epoch == vault.epoch
            else { continue }
            do throws(StoreError) {
                let content = try row.open(keys)
                if source.images.isCommitted(place) {
                    if content.generation > committed?.generation ?? 0 { committed = content }
                } else if content.generation > other?.generation ?? 0 {
                    other = content
                }
            } catch .tampered {
                continue
            }
        }
        guard let other, other.generation > committed?.generation ?? 0,
            committed == nil || other.generation <= known
        else { return (committed, false) }
        return (other, true)
    }
}
