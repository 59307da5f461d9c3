internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto
internal import VaultLifecycle

/// What `vault repair` found and made, of a file or of a keyring: the answer for people and for scripts.
struct RepairReport {
    let vaultID: [UInt8]
    let epoch: UInt32
    let backend: Backend
    /// The damaged file; nil for a vault in the keyring.
    let source: String?
    let sourceExists: Bool
    let target: String?
    let backups: [String]
    let unreadableBlocks: Int
    let slots: [(number: UInt32, kind: SlotKind, label: String, isTaken: Bool)]
    let isOpenedByBackup: Bool
    let damagedItems: [KeyringSalvage.DamagedItem]
    let isRootFromCopy: Bool
    let report: SalvageReport
    let vault: VerifyReport?

    /// Of a vault file.
    init(_ repair: VaultRepair, _ opened: Repairing.Opened, _ report: SalvageReport, _ vault: VerifyReport?) {
        (vaultID, epoch, backend) = (opened.vault.id, opened.vault.epoch, .file)
        (source, sourceExists, target) = (repair.source, repair.hasFile, repair.target)
        (backups, unreadableBlocks) = (repair.backups, repair.unreadable)
        slots = opened.foundSlots.map { ($0.number, $0.kind, $0.label, $0.isTaken) }
        isOpenedByBackup = opened.isOpenedByBackup
        (damagedItems, isRootFromCopy) = ([], false)
        (self.report, self.vault) = (report, vault)
    }

    /// Of a vault in the keyring.
    ///
    /// - Parameters:
    ///   - repair: The repair.
    ///   - key: What opens the new vault; nil where a look makes none.
    ///   - vault: The new vault; nil for a look.
    /// - Throws: `tampered(.slots)` for a slot whose note does not open.
    init(_ repair: KeyringRepair, _ key: CopyKey?, _ vault: VerifyReport?) throws(StoreError) {
        let salvage = repair.salvage
        (vaultID, epoch, backend) = (salvage.vaultID, salvage.position.epoch, .secretService)
        (source, sourceExists, target) = (nil, true, repair.target)
        (backups, unreadableBlocks, isOpenedByBackup) = ([], 0, false)
        slots = try (key?.list() ?? []).map { ($0.number, $0.kind, $0.label, true) }
        (damagedItems, isRootFromCopy) = (salvage.damagedItems, salvage.isFromCopy)
        (report, self.vault) = (repair.report, vault)
    }

    /// How many key slots the new vault has.
    var slotCount: Int { slots.count(where: \.isTaken) }

    /// The numbers of one kind of record: the column, the member of the JSON, and the number.
    static var numbers: [(column: String, member: String, of: KeyPath<SalvageReport.Tally, Int>)] {
        [
            ("kept", "kept", \.kept), ("vouched", "vouched", \.vouched), ("doubtful", "doubtful", \.doubtful),
            ("left out", "leftOut", \.leftOut), ("from backup", "fromBackup", \.fromBackup),
            ("lost", "lost", \.lost),
        ]
    }

    /// The lists of names: the member of the JSON, and what a person reads of each name.
    var names: [(member: String, words: String, list: SalvageReport.Names)] {
        [
            ("lost", "lost; only the name is left", report.lost),
            ("older", "only an older version is left", report.older),
            ("fromBackup", "copied from a backup", report.fromBackup),
            ("onlyInBackup", "only in a backup", report.onlyInBackup),
            ("toCompare", "to be compared, as nothing vouches for it", report.toCompare),
        ]
    }

    var kinds: [(key: RecordKind, value: SalvageReport.Tally)] {
        report.kinds.sorted { $0.key < $1.key }
    }

    var lanesAsInBackup: [(key: Int, value: Int)] {
        report.lanesAsInBackup.sorted { $0.key < $1.key }
    }

    var json: JSONValue {
        var json: JSONValue = [
            "id": .text(Hex.encode(vaultID)), "backend": .text(backend.word),
            "source": .optional(source),
            "sourceExists": .bool(sourceExists), "file": .optional(target),
            "complete": .bool(report.isComplete), "keyEpoch": Self.number(epoch),
            "laterKeyEpoch": report.laterEpoch.map { Self.number($0) } ?? .null,
            "generation": vault.map { Self.number($0.generation) } ?? .null,
            "headGeneration": report.head.map { Self.number($0.generation) } ?? .null,
            "newestGeneration": Self.number(report.newest),
            "records": Self.number(report.kept), "slots": Self.number(slotCount),
            "slotsVouched": .bool(report.areSlotsVouched),
            "foundSlots": .list(
                slots.map { slot in
                    [
                        "number": Self.number(slot.number), "kind": .text(slot.kind.word),
                        "label": .text(slot.label), "taken": .bool(slot.isTaken),
                    ]
                }
            ),
            "cutShort": .bool(report.isCutShort),
            "openedByBackup": .bool(isOpenedByBackup),
            "vouchedLanes": backend == .file ? Self.number(report.vouchedLanes) : .null,
            "lanesAsInBackup": .list(
                lanesAsInBackup.map { number, lanes in
                    ["backup": .text(backups[number]), "lanes": Self.number(lanes)]
                }
            ),
            "unreadableBlocks": Self.number(unreadableBlocks),
            "rootFromCopy": .bool(isRootFromCopy),
            "damagedItems": .list(
                damagedItems.map { ["path": .text($0.path), "label": .text($0.label)] }
            ),
            "kinds": .list(
                kinds.map { kind, tally in
                    let numbers = Self.numbers.map {
                        JSONMember($0.member, Self.number(tally[keyPath: $0.of]))
                    }
                    return .object([JSONMember("kind", .text(kind.rawValue))] + numbers)
                }
            ),
            "unnamedLost": report.unnamedLost.map { Self.number($0) } ?? .null,
        ]
        for names in names { json[names.member] = Self.json(names.list) }
        return json
    }

    private static func number(_ number: some BinaryInteger) -> JSONValue {
        .integer(Int64(clamping: number))
    }

    private static func json(_ names: SalvageReport.Names) -> JSONValue {
        [
            "count": number(names.count),
            "names": .list(
                names.told.map { name in
                    [
                        "kind": .text(name.id.kind.rawValue), "name": .text(name.id.name),
                        "label": .text(name.label),
                    ]
                }
            ),
        ]
    }
}
