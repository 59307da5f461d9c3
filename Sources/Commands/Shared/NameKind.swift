package import ArgumentParser

/// What a word on the command line names, for shells that complete it.
package enum NameKind: String, ExpressibleByArgument, CaseIterable {
    case contacts, keys, hosts, secrets
    /// The ids of the items of other programs.
    case items
    /// The fields of the secret that stands before them on the line.
    case fields
    /// `vault:NAME` and `vault:NAME#FIELD`, also after a `NAME=`.
    case references
}

extension CompletionKind {
    /// The names of contacts, as far as an open agent tells them.
    package static var contacts: CompletionKind { names(.contacts) }
    /// The names of SSH keys.
    package static var keys: CompletionKind { names(.keys) }
    /// The names of host profiles.
    package static var hosts: CompletionKind { names(.hosts) }
    /// The names of secrets, and references to them.
    package static var secrets: CompletionKind { names(.secrets) }
    /// The ids of items of other programs.
    package static var items: CompletionKind { names(.items) }
    /// The fields of a secret.
    package static var fields: CompletionKind { names(.fields) }
    /// References to secrets.
    package static var references: CompletionKind { names(.references) }
    /// A program, and its arguments after it.
    package static var program: CompletionKind { .shellCommand(ShellScript.program) }

    private static func names(_ kind: NameKind) -> CompletionKind {
        .shellCommand("hsip complete \(kind.rawValue) -- \(ShellScript.line) 2>/dev/null")
    }
}
