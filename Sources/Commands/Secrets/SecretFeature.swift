package import ArgumentParser

/// The commands about secrets: kept, read, copied, and given to programs.
package enum SecretFeature {
    /// The parts of `hsip secret` about what this vault keeps.
    package static let secrets: [any ParsableCommand.Type] = [
        SecretSet.self, SecretGet.self, SecretList.self, SecretShow.self, SecretMove.self, SecretCopy.self,
        SecretRemove.self, SecretRestore.self, SecretGenerate.self, SecretCheck.self, SecretTOTP.self,
        SecretInject.self, SecretEdit.self,
    ]
    /// The parts of `hsip item` about what programs keep in this vault.
    package static let items: [any ParsableCommand.Type] = [
        ItemList.self, ItemShow.self, ItemGet.self, ItemSet.self, ItemRemove.self, ItemRestore.self,
    ]
    /// What gives secrets to programs.
    package static let users: [any ParsableCommand.Type] = [Run.self]
    /// What the program starts by itself.
    package static let helpers: [any ParsableCommand.Type] = [ClipboardKeeper.self]

    /// What an everyday form asks for; nil for everything else.
    package static func plainCommand(of words: [String]) -> (any Runnable)? {
        SecretReading.read(words)
    }
}

extension SecretReading: PlainCommand {
    /// `secret get NAME` and `secret get NAME --field FIELD`.
    ///
    /// Not the command as the parser knows it: to make one of those, with nothing in it yet, costs as much as asking
    /// the agent.
    init?(_ words: PlainWords) {
        var words = words
        guard let name = words.value() else { return nil }
        self.init(name: name, field: words.option("--field"), version: nil, place: .output)
        guard words.isEmpty else { return nil }
    }
}
