package import ArgumentParser
package import CommandKit

/// The commands about ssh: keys, hosts, and what ssh itself asks for.
package enum SSHFeature {
    package static let commands: [any ParsableCommand.Type] = [SSHGroup.self]

    /// What an everyday form asks for; nil for everything else.
    package static func plainCommand(of words: [String]) -> (any Runnable)? {
        SSHKnownHosts.read(words) ?? SSHKeyShow.read(words)
    }
}
