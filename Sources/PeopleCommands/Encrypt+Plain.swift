internal import CommandKit

extension Encrypt: PlainCommand {
    /// `encrypt NAME` and `encrypt NAME FILE`.
    init?(_ words: PlainWords) {
        var words = words
        guard let contact = words.value() else { return nil }
        self.init()
        self.contact = contact
        file = words.value()
        sealed = nil
        rest = []
        isVerbose = false
        isStealth = false
        lines = false
        output = nil
        force = false
        copy = false
        guard words.isEmpty else { return nil }
    }
}
