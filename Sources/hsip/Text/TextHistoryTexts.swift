internal import Console
internal import VaultKit

/// What the vault refuses about the history of texts, as a person reads it.
enum TextHistoryTexts {
    static func explain(_ error: TextHistoryError) -> Failure {
        let (message, hint): (String, String?) =
            switch error {
            case .unknownEntry: ("the history has no entry of that number", "hsip text history list")
            case .badEntry: ("that is no encrypted text that could be remembered", nil)
            case .malformed: ("the history of texts in the vault cannot be read", "hsip doctor")
            case .unsupportedVersion: ("the history of texts was written by a newer program", "hsip version")
            case .outOfMemory: ("there is not enough locked memory", "ulimit -l")
            }
        return Failure(status: error.exitCode, code: error.name, message: message, hint: hint)
    }

    /// `3 entries`.
    static func count(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }
}

extension JSONValue {
    /// `state` of Schemas/cli/text.schema.json, with the numbers or the count that an act took out.
    static func textHistory(_ state: TextHistoryState) -> JSONValue {
        ["on": .bool(state.isOn), "entries": .integer(Int64(state.count))]
    }

    /// `entry` of Schemas/cli/text.schema.json.
    static func textItem(_ item: TextHistory.Item) -> JSONValue {
        [
            "number": .integer(Int64(clamping: item.number)), "at": .time(Int64(clamping: item.time)),
            "action": .text("\(item.entry.action)"), "algorithm": .text(item.entry.algorithm.word),
            "text": .text(item.entry.text), "isCut": .bool(item.entry.isCut),
            "length": .integer(Int64(item.entry.length)),
        ]
    }
}
