extension SSHKnownHosts {
    /// The command as the settings of ssh write it, read without the parser, which takes longer than the answer.
    ///
    /// Nil for everything else, which the parser may explain.
    init?(_ words: ArraySlice<String>) {
        var values: [String: String] = [:]
        var rest = words
        while let word = rest.popFirst() {
            guard let value = rest.popFirst(), values.updateValue(value, forKey: word) == nil else {
                return nil
            }
        }
        guard let reason = values.removeValue(forKey: "--for"),
            let host = values.removeValue(forKey: "--host")
        else { return nil }
        self.init()
        self.reason = reason
        self.host = host
        port = values.removeValue(forKey: "--port") ?? "22"
        alias = values.removeValue(forKey: "--alias") ?? ""
        type = values.removeValue(forKey: "--type") ?? "NONE"
        key = values.removeValue(forKey: "--key") ?? "NONE"
        guard values.isEmpty else { return nil }
    }
}
