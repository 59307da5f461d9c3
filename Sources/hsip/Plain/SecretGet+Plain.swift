extension SecretGet: PlainCommand {
    /// `secret get NAME` and `secret get NAME --field FIELD`.
    init?(_ words: PlainWords) {
        var words = words
        guard let name = words.value() else { return nil }
        self.init()
        self.name = name
        rest = []
        field = words.option("--field")
        version = nil
        copy = false
        clear = nil
        qr = false
        output = nil
        force = false
        guard words.isEmpty else { return nil }
    }
}
