internal import ArgumentParser

/// What a word on the command line names, for shells that complete it.
enum NameKind: String, ExpressibleByArgument, CaseIterable {
    case contacts, keys, hosts, secrets
}

extension CompletionKind {
    /// The names of contacts, as far as an open agent tells them.
    static var contacts: CompletionKind { names(.contacts) }
    /// The names of SSH keys.
    static var keys: CompletionKind { names(.keys) }
    /// The names of host profiles.
    static var hosts: CompletionKind { names(.hosts) }
    /// The names of secrets.
    static var secrets: CompletionKind { names(.secrets) }

    private static func names(_ kind: NameKind) -> CompletionKind {
        .shellCommand("hsip complete \(kind.rawValue) 2>/dev/null")
    }
}
