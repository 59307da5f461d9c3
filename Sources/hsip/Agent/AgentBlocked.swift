internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Text

/// `hsip agent blocked`.
struct AgentBlocked: Command {
    static let path = "agent blocked"
    static let configuration = CommandConfiguration(
        commandName: "blocked",
        abstract: "List programs that the agent refuses without asking.",
        discussion: """
            If you refuse a program another program's item, it is refused that item for 10 minutes. After \
            three refusals in 10 minutes the agent does not ask about the program at all for 30 minutes. \
            If you close a passphrase window, it does not return for that program for 1, 5, then 30 \
            minutes.

              hsip agent blocked
              hsip agent blocked --clear
            """
    )

    @Flag(help: "Ask about all of these programs again.")
    var clear = false

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent blocked")
        guard let agent = try context.connectToAgent() else { throw AgentError.noAgent }
        let (programs, refused) = try await agent.blocked(clears: clear)
        let display = context.output.display
        var table = Table([Column("program"), Column("items"), Column("for", .left, .whole)])
        for program in programs {
            table.add([
                program.program.isEmpty ? Cell("not known", value: "") : Cell(peer: program.program, display),
                Cell(program.items.map { "\($0)" } ?? "all", value: program.items.map { "\($0)" } ?? ""),
                Cell(AgentSheet.rough(program.seconds), value: "\(program.seconds)"),
            ])
        }
        try context.output.table(table)
        if programs.isEmpty {
            context.output.note("the agent blocks no program")
        } else if clear {
            context.output.note("the agent asks about these programs again")
        } else {
            context.output.hint("hsip agent blocked --clear")
        }
        try context.output.succeed([
            "programs": .list(
                programs.map {
                    [
                        "program": .text($0.program), "items": .optional($0.items.map { Int64($0) }),
                        "seconds": .integer(Int64($0.seconds)),
                    ]
                }
            ),
            "refused": .integer(Int64(refused)), "cleared": .bool(clear),
        ])
    }
}
