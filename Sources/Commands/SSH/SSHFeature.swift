package import ArgumentParser

/// The commands about ssh: keys, hosts, and the commands that ssh itself runs.
package enum SSHFeature {
    package static let commands: [any ParsableCommand.Type] = [SSHGroup.self]

    /// The command of an everyday form, read without the parser; nil for all other words.
    package static func plainCommand(of words: [String]) -> (any Runnable)? {
        SSHKnownHosts.read(words) ?? SSHKeyShow.read(words)
    }
}

extension SSHKnownHosts: PlainCommand {
    /// The form that `hsip setup ssh` writes into ssh's settings; ssh waits for it before every connection.
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

extension SSHKeyShow: PlainCommand {
    /// `ssh key show NAME`.
    init?(_ words: PlainWords) {
        var words = words
        guard let name = words.value() else { return nil }
        self.init()
        self.name = name
        trash = false
        guard words.isEmpty else { return nil }
    }
}
