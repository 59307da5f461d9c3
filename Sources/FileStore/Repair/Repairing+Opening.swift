package import RecordStore
internal import VaultCrypto

extension Repairing {
    /// Opens the vault by a slot of the damaged file or, failing that, of a backup.
    ///
    /// - Parameters:
    ///   - unlock: The secret.
    ///   - takesAllSlots: Whether to keep slots that no head vouches for; a removed slot may be among them.
    ///   - isStopped: Whether to stop; called before and after each slot, whose key derivation takes about a
    ///     second.
    /// - Returns: the opened vault.
    /// - Throws: `noSuchSlot` if no slot of this kind was found; `wrongSecret`; `tampered` and `corrupt` for
    ///   a damaged backup; `cancelled`.
    package func open(
        _ unlock: Unlock,
        takesAllSlots: Bool = false,
        isStopped: () -> Bool = { false }
    ) throws(StoreError) -> Opened {
        let (vault, used, keys) = try unwrap(unlock, isStopped)
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

    /// The newest key epoch named anywhere for this vault, if it is later than the opened one.
    ///
    /// The heads are not authenticated, because the key is missing. A forged one makes the repair count as
    /// incomplete, which is safe.
    private func laterEpoch(of vault: RepairVault, _ seen: Position?) -> UInt32? {
        let named = vaults.filter { $0.id == vault.id }.map(\.epoch) + [seen?.epoch].compactMap(\.self)
        return named.max().flatMap { $0 > vault.epoch ? $0 : nil }
    }

    /// The keys from the slot that the secret opens, for the newest key epoch of the candidate vaults.
    ///
    /// After a key change the file may still have the old slots, while the log has the current ones.
    private func unwrap(
        _ unlock: Unlock,
        _ isStopped: () -> Bool
    ) throws(StoreError) -> (RepairVault, SlotRow, VaultKeys) {
        let isSlow = unlock.kind == .passphrase
        var rows: [SlotRow] = []
        // Slots further back in the log are newer.
        for row in carved.slots.reversed() + backups.flatMap(\.slots.rows)
        where unlock.kinds.contains(row.kind) && !rows.contains(row) {
            if !isSlow || rows.count < Self.maximumTried { rows.append(row) }
        }
        guard !rows.isEmpty, !vaults.isEmpty else { throw StoreError.noSuchSlot }
        for vault in isSlow ? vaults.prefix(Self.maximumVaults) : vaults[...] {
            // A passphrase derives a key independent of the vault, so a slot that it does not fit is tried
            // for no other vault.
            var others: [SlotRow] = []
            for row in rows {
                guard !isStopped() else { throw StoreError.cancelled }
                let attempt = try Self.attempt(unlock, at: row, of: vault)
                guard !isStopped() else { throw StoreError.cancelled }
                switch attempt {
                case .opened(let keys): return (vault, row, keys)
                case .otherVault: others.append(row)
                case .otherSecret: if !isSlow { others.append(row) }
                }
            }
            rows = others
        }
        throw StoreError.wrongSecret
    }

    /// The result of trying a secret at one slot.
    private enum Attempt {
        case opened(VaultKeys)
        /// The secret fits, but the slot is damaged or belongs to another vault.
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

    /// The head of the highest generation that opens; nil if none opens.
    ///
    /// A head behind the last commit of the log belongs to an aborted transaction, unless this machine or a
    /// backup knows its generation, or no other head exists.
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
