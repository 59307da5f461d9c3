internal import ArgumentParser

/// The commands about ssh: keys, hosts, and what ssh itself asks for.
enum SSHFeature {
    static let commands: [any ParsableCommand.Type] = [SSHGroup.self]

    /// What an everyday form asks for; nil for everything else.
    static func plainCommand(of words: [String]) -> (any Runnable)? {
        SSHKnownHosts.read(words) ?? SSHKeyShow.read(words)
    }
}
