internal import ArgumentParser
internal import Presentation
internal import Text
internal import VaultKit

/// `hsip sync conflicts`.
struct SyncConflicts: Command {
    static let path = "sync conflicts"
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List what two machines changed, until you settle it.",
        discussion: """
              hsip sync conflicts
              hsip sync settle db/prod --mine
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let found = try await vault(Operations.conflicts)
        var table = Table([
            Column("name", .left, .whole), Column("kind"), Column("what happened"), Column("machine"),
            Column("when"),
        ])
        for conflict in found {
            table.add([
                Cell(own: conflict.name, context.output.display), Cell(conflict.kindText),
                Cell(conflict.text(context.output.display)),
                Cell(own: conflict.machine ?? "", context.output.display),
                Cell(relative: conflict.time, now: context.now),
            ])
        }
        try context.list(table, empty: "no conflicts", hint: nil)
        try context.output.succeed(["conflicts": .list(found.map(\.json))])
    }
}

/// `hsip sync settle`.
struct SyncSettle: Command {
    static let path = "sync settle"
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Keep the change of one machine, or both.",
        discussion: """
            What --mine and --theirs do depends on what hsip sync conflicts says:

              changed on both machines     that value becomes the newest version.
              the record is another now    the name changes hands, or stays.
              changed here, deleted there  the record stays, or is deleted here.
              has another host key there   nothing: hsip ssh host trust decides.

              hsip sync settle db/prod --mine
            """
    )

    @Argument(help: "The name from hsip sync conflicts.")
    var name: String

    /// The machine whose change is kept.
    enum Choice: String, EnumerableFlag {
        case mine, theirs, both

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .mine: "Choose the record or value of this machine."
            case .theirs: "Choose the record or value of the other machine."
            case .both: "Change nothing, and end the conflict."
            }
        }

        var choice: ConflictChoice {
            switch self {
            case .mine: .mine
            case .theirs: .theirs
            case .both: .both
            }
        }
    }

    @Flag
    var choice: Choice

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let settled = try await vault(Operations.settle, name, choice.choice)
        context.hasChanged = true
        let shown = context.output.display.cell(name)
        context.output.say("Settled \(shown). Other machines hear of it at the next sync.")
        try context.output.succeed(["conflicts": .list(settled.map(\.json))])
    }
}

extension ConflictSummary {
    fileprivate var kindText: String {
        switch kind {
        case "sshKey": "SSH key"
        case "sshHost": "SSH host"
        case "knownHost": "known host"
        default: "secret"
        }
    }

    /// The conflict in words.
    func text(_ display: Display) -> String {
        switch reason {
        case "renamed": "the record of this machine is \(display.cell(other ?? "")) now"
        case "bothChanged": "changed on both machines"
        case "removedElsewhere": "changed here, deleted there"
        default: "has another host key there"
        }
    }

    fileprivate var json: JSONValue {
        [
            "name": .text(name), "kind": .text(kind), "reason": .text(reason), "other": .optional(other),
            "machine": .optional(machine), "since": .time(time),
        ]
    }
}
