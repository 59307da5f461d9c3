internal import ArgumentParser

/// `hsip text history`: which texts were encrypted and decrypted, for who wants that remembered.
struct TextHistoryGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Remember encrypted texts in the vault: on, off, list, rm, clear.",
        discussion: """
            Off until you switch it on. An entry has the encrypted text, when and how it was encrypted or decrypted, and \
            neither the plaintext nor anything of the key. A hundred are kept.

              hsip text history on
              hsip text history list
            """,
        subcommands: [
            TextHistoryOn.self, TextHistoryOff.self, TextHistoryList.self, TextHistoryRemove.self,
            TextHistoryClear.self,
        ]
    )
}
