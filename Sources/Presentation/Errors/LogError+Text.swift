package import SharedLog
internal import Text

extension LogError: Explainable {
    package var explanation: Failure {
        let (name, message, hint) = words
        return Failure(
            name,
            place.map { "entry \($0)\(by): \(message)" } ?? message,
            hint: hint,
            details: details
        )
    }

    private var details: JSONValue {
        guard let place else { return .null }
        return ["reason": .text(reason.rawValue), "place": .integer(place), "author": .optional(authorName)]
    }

    private var by: String { authorName.map { " by \(Display(isUTF8: true).cell($0))" } ?? "" }

    /// An entry that its author may not have written always means tampering.
    private var words: Failure.Words {
        if place != nil,
            [.notAllowed, .nameTaken, .lastKeeper, .malformed, .badKey, .badSignature].contains(reason)
        {
            return (
                .logTampered, "no machine may write such an entry (\(reason.rawValue))",
                "hsip machine"
            )
        }
        return switch reason {
        case .logTampered:
            (.logTampered, "the entry was changed, or no machine of the log wrote it", "hsip sync head")
        case .logForked:
            (
                .logForked, "the server shows another history than this machine knows",
                "hsip sync head"
            )
        case .logBehind:
            (
                .logBehind,
                "the server lost entries that this machine has seen; hsip goes on when they are back",
                "hsip sync"
            )
        case .historyGap:
            (
                .historyGap,
                "this machine was away too long to compare the history; stop sharing, and join again",
                "hsip setup sync --undo"
            )
        case .stateDiffers:
            (
                .stateDiffers, "its author has other contents than this machine at the same entry",
                "hsip sync head"
            )
        case .vaultBehindLog:
            (
                .vaultBehindLog, "this vault is older than its own entries in the log",
                "hsip vault restore --accept-rollback"
            )
        case .machineCloned:
            (
                .machineCloned, "this machine did not write it: a copy of this vault runs elsewhere",
                "hsip machine"
            )
        case .machineRevoked:
            (.machineRevoked, "this machine does not share the vault any more", "hsip setup sync join")
        case .notAllowed: (.notAllowed, "this machine only reads the log", nil)
        case .lastKeeper:
            (
                .lastKeeper, "the other machines only read: remove them first, or let one join that does not",
                "hsip machine"
            )
        case .nameTaken: (.machineNameTaken, "another machine has this name", "hsip machine")
        case .massRemoval:
            (
                .massRemoval, "other machines deleted a fifth or more of all shared records",
                "hsip sync --accept-removals"
            )
        case .newerEntry: (.newerEntry, "a newer program wrote the entry", "hsip version")
        case .badSignature: (.badSignature, "the signature is not valid", "hsip machine")
        case .badKey: (.badKey, "the key of a machine is not valid", "hsip machine")
        case .malformed:
            (
                .malformed, "a machine's name must be 1 to 40 bytes on one line, without blanks at its ends",
                "--name NAME"
            )
        case .logTooLarge: (.logTooLarge, "the log is larger than hsip accepts", nil)
        case .admitOutdated:
            (
                .admitOutdated, "the ADMIT code is too old for this log; forget it, and join again",
                "hsip setup sync --undo"
            )
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        case .noLog: (.noLog, "this vault is not shared with other machines", "hsip setup sync --help")
        case .logExists: (.logExists, "this vault is already shared with other machines", "hsip machine")
        case .otherJoin:
            (.otherJoin, "the ADMIT code answers another JOIN code than yours", "hsip setup sync join")
        case .numberDiffers:
            (.numberDiffers, "the number is not the number of this code; nothing changed", nil)
        case .unknownMachine: (.unknownMachine, "no machine of the log has this name", "hsip machine")
        case .alreadyMember: (.alreadyMember, "the machine is in the log already", "hsip machine")
        case .recordsLost:
            (
                .logRecordsLost, "the vault lost records about the shared log; leave the log and join again",
                "hsip setup sync --undo"
            )
        case .headAhead: (.headAhead, "the other machine is further than this one", "hsip sync")
        case .noConflict: (.noConflict, "no conflict is about this name", "hsip sync conflicts")
        case .logBusy:
            (.busy, "other machines were faster each time, or entries wait to be sent", "hsip sync")
        }
    }
}
