internal import Console
internal import TextCipher
internal import VaultKit

/// How a person reads of the history of texts.
enum TextHistoryTexts {
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
            "action": .text(item.entry.action.word), "algorithm": .text(item.entry.algorithm.word),
            "text": .text(item.entry.text), "isCut": .bool(item.entry.isCut),
            "length": .integer(Int64(item.entry.length)),
        ]
    }
}
