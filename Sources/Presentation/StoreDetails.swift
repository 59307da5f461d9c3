package import RecordStore

/// The details of a store's error for scripts, besides its name (Schemas/cli/envelope.schema.json).
package enum StoreDetails {
    /// Returns the details of an error; `here` returns where the program runs, as `HostEnvironment` spells it.
    ///
    /// `here` is evaluated only for an error of a keyring.
    package static func of(_ error: StoreError, here: @autoclosure () -> String) -> JSONValue {
        switch error {
        case .rollback(let found, let expected): ["found": position(found), "expected": position(expected)]
        case .newerFormat(let found, let supported):
            ["found": .integer(found), "supported": .integer(supported)]
        case .unsafeFile(let path, let reason): ["path": .text(path), "reason": .text(word(reason))]
        case .tampered(let part): tampered(part)
        case .noSessionBus, .noSecretService, .ownProvider, .noSecretLibrary, .noSuchCollection,
            .keyringLocked, .promptDismissed, .keyringTimeout, .keyringDied:
            ["reason": .text(here()), "code": .null]
        case .keyringRefused(let code): ["reason": .text(here()), "code": .integer(code)]
        case .anchorNotWritten(let path, let isMade): ["path": .text(path), "isMade": .bool(isMade)]
        case .io(let code): ["errno": .integer(max(0, code))]
        default: .null
        }
    }

    private static func position(_ position: Position) -> JSONValue {
        ["keyEpoch": .integer(position.epoch), "generation": .integer(position.generation)]
    }

    private static func word(_ reason: UnsafeReason) -> String {
        switch reason {
        case .wrongType: "notRegular"
        case .owner: "owner"
        case .mode: "mode"
        case .hardLinks: "linkCount"
        case .writableAncestor: "ancestor"
        case .moved: "moved"
        case .hidden: "hidden"
        }
    }

    /// Returns the damaged record, as far as it is known.
    package static func damaged(_ record: DamagedRecord) -> JSONValue {
        [
            "part": .text(record.part.rawValue), "lane": .optional(record.lane),
            "kind": .optional(record.kind), "name": .optional(record.name),
        ]
    }

    private static func tampered(_ part: TamperedPart) -> JSONValue {
        switch part {
        case .recordSet(let lane): ["part": "recordSet", "lane": .integer(lane)]
        case .record(let record): damaged(record)
        case .head: ["part": "head", "lane": .null]
        case .slots: ["part": "slots", "lane": .null]
        case .meta: ["part": "meta", "lane": .null]
        case .body: ["part": "body", "lane": .null]
        }
    }
}
