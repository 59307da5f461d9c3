package import ArgumentParser

/// The commands about secrets: to keep, read and copy them, and to give them to programs.
package enum SecretFeature {
    /// The subcommands of `hsip secret` about this vault's secrets.
    package static let secrets: [any ParsableCommand.Type] = [
        SecretSet.self, SecretGet.self, SecretList.self, SecretShow.self, SecretMove.self, SecretCopy.self,
        SecretRemove.self, SecretRestore.self, SecretGenerate.self, SecretCheck.self, SecretTOTP.self,
        SecretInject.self, SecretEdit.self,
    ]
    /// The subcommands of `hsip item` about the items that programs store in this vault.
    package static let items: [any ParsableCommand.Type] = [
        ItemList.self, ItemShow.self, ItemGet.self, ItemSet.self, ItemRemove.self, ItemRestore.self,
    ]
    /// The commands that give secrets to programs.
    package static let users: [any ParsableCommand.Type] = [Run.self]
    /// The commands that hsip starts by itself.
    package static let helpers: [any ParsableCommand.Type] = [ClipboardKeeper.self]

    /// The command of an everyday form, read without the parser; nil for all other words.
    package static func plainCommand(of words: [String]) -> (any Runnable)? {
        SecretReading.read(words)
    }
}

extension SecretReading: PlainCommand {
    /// `secret get NAME` and `secret get NAME --field FIELD`.
    ///
    /// It does not make the parser's command: to make an empty one costs as much time as a request to the agent.
    init?(_ words: PlainWords) {
        var words = words
        guard let name = words.value() else { return nil }
        self.init(name: name, field: words.option("--field"), version: nil, place: .output)
        guard words.isEmpty else { return nil }
    }
}
