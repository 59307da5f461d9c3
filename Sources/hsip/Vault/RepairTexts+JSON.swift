internal import Console
internal import FileStore
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto
internal import VaultLifecycle

extension RepairTexts {
    var json: JSONValue {
        [
            "id": .text(Hex.encode(facts.vaultID)), "backend": .text(facts.backend.word),
            "source": .optional(facts.source),
            "sourceExists": .bool(facts.sourceExists), "file": .optional(facts.target),
            "complete": .bool(report.isComplete), "keyEpoch": .integer(Int64(facts.epoch)),
            "laterKeyEpoch": report.laterEpoch.map { .integer(Int64($0)) } ?? .null,
            "generation": vault.map { .integer(Int64(clamping: $0.generation)) } ?? .null,
            "headGeneration": report.head.map { .integer(Int64(clamping: $0.generation)) } ?? .null,
            "newestGeneration": .integer(Int64(clamping: report.newest)),
            "records": .integer(Int64(report.kept)), "slots": .integer(Int64(facts.slotCount)),
            "slotsVouched": .bool(report.areSlotsVouched),
            "foundSlots": .list(
                facts.slots.map { slot in
                    [
                        "number": .integer(Int64(slot.number)), "kind": .text(slot.kind.word),
                        "label": .text(slot.label), "taken": .bool(slot.isTaken),
                    ]
                }
            ),
            "cutShort": .bool(report.isCutShort),
            "openedByBackup": .bool(facts.isOpenedByBackup),
            "vouchedLanes": facts.backend == .file ? .integer(Int64(report.vouchedLanes)) : .null,
            "lanesAsInBackup": .list(
                report.lanesAsInBackup.sorted { $0.key < $1.key }.map { number, lanes in
                    ["backup": .text(facts.backups[number]), "lanes": .integer(Int64(lanes))]
                }
            ),
            "unreadableBlocks": .integer(Int64(facts.unreadableBlocks)),
            "rootFromCopy": .bool(facts.isRootFromCopy),
            "damagedItems": .list(
                facts.damagedItems.map { ["path": .text($0.path), "label": .text($0.label)] }
            ),
            "kinds": .list(report.kinds.sorted { $0.key < $1.key }.map(Self.json)),
            "unnamedLost": report.unnamedLost.map { .integer(Int64($0)) } ?? .null,
            "lost": Self.json(report.lost), "older": Self.json(report.older),
            "fromBackup": Self.json(report.fromBackup), "onlyInBackup": Self.json(report.onlyInBackup),
            "toCompare": Self.json(report.toCompare),
        ]
    }

    static func json(_ kind: RecordKind, _ tally: SalvageReport.Tally) -> JSONValue {
        [
            "kind": .text(kind.rawValue), "kept": .integer(Int64(tally.kept)),
            "vouched": .integer(Int64(tally.vouched)), "doubtful": .integer(Int64(tally.doubtful)),
            "leftOut": .integer(Int64(tally.leftOut)), "fromBackup": .integer(Int64(tally.fromBackup)),
            "lost": .integer(Int64(tally.lost)),
        ]
    }

    static func json(_ names: SalvageReport.Names) -> JSONValue {
        [
            "count": .integer(Int64(names.count)),
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
