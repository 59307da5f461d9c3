internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit

/// `hsip secret list`.
struct SecretList: Command {
    static let path = "secret list"
    static let readsOldCopies = true
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the secrets, without their values.",
        discussion: """
            A word finds names, users, addresses and tags that contain it.

              hsip secret list
              hsip secret list github
              hsip secret list --tree
              hsip secret list --expiring 30d
              hsip secret list --trash
            """
    )

    @Argument(help: "A part of a name, a user, an address or a tag.")
    var query: String?

    @Option(help: ArgumentHelp("Only what expires within this time or has expired.", valueName: "time"))
    var expiring: String?

    @Option(help: ArgumentHelp("Only secrets with this tag.", valueName: "word"))
    var tag: String?

    @Option(
        help: ArgumentHelp("Only secrets of this type: login, token, note or file.", valueName: "type"),
        completion: .list(["login", "token", "note", "file"])
    )
    var type: String?

    @Flag(help: "Show the names as a tree, split at slashes.")
    var tree = false

    @Flag(help: "Show the trash instead.")
    var trash = false

    func run(_ context: Context) async throws {
        var wanted = CredentialQuery()
        wanted.text = query
        wanted.tag = tag
        wanted.inTrash = trash
        wanted.expiresBefore = try expiring.map { try SecretTimes.moment($0, "--expiring", now: context.now) }
        if let type {
            guard let kind = CredentialKind(word: type) else {
                throw Failure.usage("--type must be login, token, note or file")
            }
            wanted.kind = kind
        }
        let vault = try await context.openVault()
        let secrets = try await vault.credentials(wanted)
        if context.isJSON {
            // The table of many secrets costs more than their JSON.
        } else if tree {
            for line in NameTree.lines(secrets.map(\.name), isUTF8: context.console.isUTF8) {
                try context.output.line(context.shown(line))
            }
        } else {
            try context.list(
                table(secrets, context),
                empty: wanted == CredentialQuery() ? "no secrets yet" : "no secrets match"
            )
        }
        if secrets.isEmpty, wanted == CredentialQuery() { context.output.hint("hsip secret set NAME") }
        try await context.endShort(vault, of: ["secret"])
        try context.output.succeed(.secrets(secrets, now: context.now))
    }

    private func table(_ secrets: [CredentialSummary], _ context: Context) -> Table {
        let (display, now) = (context.output.display, context.now)
        let columns = [
            Column("secret"), Column("type", .left, .whole, spare: 4), Column("user"),
            Column("url", spare: 3), Column("state", .left, .whole, spare: 2),
            Column("ends", .left, .whole, spare: 1), Column("changed", .left, .whole, spare: 6),
            Column("tags", spare: 5),
        ]
        let rows = secrets.map { secret in
            [
                Cell(own: secret.name, display), Cell(secret.kind.word),
                Cell(own: secret.user ?? "", display), Cell(own: secret.url ?? "", display),
                SecretCells.state(secret, now: now),
                secret.expires.map { Cell(relative: $0, now: now) } ?? Cell(""),
                Cell(relative: secret.changed, now: now),
                Cell(own: secret.tags.joined(separator: ","), display),
            ]
        }
        return Table(columns, rows: rows)
    }
}

/// Draws names with slashes as a tree of folders.
enum NameTree {
    /// One line for each folder and name, in the order of the names.
    static func lines(_ names: [String], isUTF8: Bool) -> [String] {
        let root = Node()
        for name in names { root.add(name.split(separator: "/", omittingEmptySubsequences: false)[...]) }
        return root.lines(isUTF8)
    }

    private final class Node {
        private var children: [(name: String, node: Node)] = []
        private var places: [String: Int] = [:]

        func add(_ parts: ArraySlice<Substring>) {
            guard let first = parts.first else { return }
            let name = String(first)
            let place = places[name] ?? children.count
            if place == children.count {
                places[name] = place
                children.append((name, Node()))
            }
            children[place].node.add(parts.dropFirst())
        }

        func lines(_ isUTF8: Bool, isTop: Bool = true) -> [String] {
            children.enumerated().flatMap { index, child in
                let isLast = index == children.count - 1
                let (branch, stem) =
                    isTop
                    ? ("", "")
                    : isUTF8
                        ? (isLast ? "└── " : "├── ", isLast ? "    " : "│   ")
                        : (isLast ? "`-- " : "|-- ", isLast ? "    " : "|   ")
                return [branch + child.name] + child.node.lines(isUTF8, isTop: false).map { stem + $0 }
            }
        }
    }
}
