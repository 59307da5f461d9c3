internal import LocalState
package import RecordStore
package import VaultCrypto

/// The repair of a damaged vault file into a new one (Schemas/vault-file.md section 6).
///
/// SQLite is not asked: rows are found by their shape, in the file and in its log, and judged by their tags. The damaged
/// file is only read.
package final class Repairing {
    /// The most slots that a secret is tried at.
    private static let mostTried = 16

    /// A damaged vault that a secret has opened.
    package struct Opened {
        /// Which vault it is.
        package let vault: RepairVault
        let keys: VaultKeys
        /// The newest head that opens.
        let head: HeadContent?
        let slots: SlotSalvage
        /// The heads of the backups, in their order.
        let backups: [HeadContent]
        /// The newest generation that was seen in the head, the backups and the anchor.
        let newest: UInt64
        /// Whether the slot that was used is a backup's: the damaged file had none that opens.
        package let isOpenedByBackup: Bool
        /// Backups of another vault, or of another key of this one.
        package let otherBackups: [String]

        /// How many key slots the new vault has.
        package var slotCount: Int { slots.slots.rows.count }
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
    ///   - entropy: Where nonces and names come from.
    ///   - now: The time in milliseconds of Unix time.
    /// - Returns: the damaged vault, searched and not opened yet.
    /// - Throws: `notFound`; `alreadyExists` for a new vault that is there; `notAVault` for a file with nothing of a vault
    ///   in it; `RepairRefusal`; what opening a backup throws; `diskFull`, `io`.
    package static func begin(
        _ file: String,
        into new: String?,
        with backups: [String],
        anchorFolder: String,
        known: [RepairVault],
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
        let source = try RepairSource(file, beside: new, entropy)
        let carved = try Carver(source.images)
        guard !carved.isEmpty else { throw StoreError.notAVault }
        var vaults: [RepairVault] = []
        for vault in carved.vaults + opened.map(\.vault) + known where !vaults.contains(vault) {
            vaults.append(vault)
        }
        return Repairing(
            source: source,
            carved: carved,
            backups: opened,
            new: new,
            entropy: entropy,
            now: now,
            vaults: vaults,
            anchorFolder: anchorFolder,
            held: held
        )
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
    /// - Throws: `noSuchSlot` where none of this kind was found; `wrongSecret`; `tampered` and `corrupt` for a backup that
    ///   is damaged itself.
    package func open(_ unlock: Unlock) throws(StoreError) -> Opened {
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
        let head = try newestHead(of: vault, keys)
        let anchor = Anchor(path: "\(anchorFolder)/anchor-\(Hex.encode(vault.id))", vaultID: vault.id)
        let seen = (try? anchor.read())?.position
        let fromAnchor = seen?.epoch == vault.epoch ? seen?.generation ?? 0 : 0
        return Opened(
            vault: vault,
            keys: keys,
            head: head,
            slots: try SlotSalvage(
                carved.slots + backups.flatMap(\.slots.rows),
                used: used,
                head: head,
                keys: keys
            ),
            backups: heads,
            newest: max(head?.generation ?? 0, heads.map(\.generation).max() ?? 0, fromAnchor),
            isOpenedByBackup: !carved.slots.contains(used),
            otherBackups: backups.filter { $0.vault != vault }.map(\.path)
        )
    }

    /// The keys, from the first slot that the secret opens for one of the vaults that this may be.
    private func unwrap(_ unlock: Unlock) throws(StoreError) -> (RepairVault, SlotRow, VaultKeys) {
        var rows: [SlotRow] = []
        for row in carved.slots + backups.flatMap(\.slots.rows) where unlock.kinds.contains(row.kind) {
            if rows.count < Self.mostTried, !rows.contains(row) { rows.append(row) }
        }
        guard !rows.isEmpty, !vaults.isEmpty else { throw StoreError.noSuchSlot }
        for row in rows {
            for vault in vaults {
                switch try Self.attempt(unlock, at: row, of: vault) {
                case .opened(let keys): return (vault, row, keys)
                case .otherVault: continue
                case .otherSecret where unlock.kind != .passphrase: continue
                case .otherSecret: break
                }
                // What a passphrase makes does not depend on the vault.
                break
            }
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
    private func newestHead(of vault: RepairVault, _ keys: VaultKeys) throws(StoreError) -> HeadContent? {
        var newest: HeadContent?
        for place in carved.heads {
            let bytes = source.images.bytes(
                at: PlaceList.Place(number: place),
                HeadShape.before + HeadShape.longest
            )
            guard let row = bytes.withBytes({ HeadShape.head($0, at: HeadShape.before) }),
                row.vaultID == vault.id, row.epoch == vault.epoch
            else { continue }
            do throws(StoreError) {
                let content = try row.open(keys)
                if content.generation > newest?.generation ?? 0 { newest = content }
            } catch .tampered {
                continue
            }
        }
        return newest
    }
}
