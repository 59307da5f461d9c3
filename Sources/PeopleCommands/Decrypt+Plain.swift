internal import CommandKit

extension Decrypt: PlainCommand {
    /// `decrypt` and `decrypt FILE`.
    init?(_ words: PlainWords) {
        var words = words
        self.init()
        file = words.value()
        inline = false
        endsWithZero = false
        from = nil
        isReread = false
        isStealth = false
        paste = false
        output = nil
        force = false
        guard words.isEmpty else { return nil }
    }
}
