internal import CommandKit

extension SSHKnownHosts: PlainCommand {
    /// The form that `hsip setup ssh` writes into the settings of ssh, which waits for it before every connection.
    init?(_ words: PlainWords) {
        var words = words
        guard let reason = words.option("--for"), let host = words.option("--host") else { return nil }
        self.init()
        self.reason = reason
        self.host = host
        port = words.option("--port") ?? "22"
        alias = words.option("--alias") ?? ""
        type = words.option("--type") ?? "NONE"
        key = words.option("--key") ?? "NONE"
        guard words.isEmpty else { return nil }
    }
}
