internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Text

/// `hsip agent requests`: prompts of the agent that wait for an answer.
struct AgentRequestsGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List requests that wait in a window, and answer them.",
        subcommands: [AgentRequestsList.self, AgentRequestsAnswer.self],
        defaultSubcommand: AgentRequestsList.self
    )
}

/// `hsip agent requests [list]`.
struct AgentRequestsList: Command {
    static let path = "agent requests list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List requests that wait for an answer in a window.",
        discussion: """
              hsip agent requests
            """
    )

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent requests")
        let requests = try await context.runningAgent().requests()
        let display = context.output.display
        var table = Table([
            Column("request", .left, .whole), Column("question", .left, .wrapped),
            Column("since", .left, .whole),
        ])
        for request in requests {
            let since = context.now - Int64(clamping: request.seconds)
            table.add([
                Cell("\(request.number)"), Cell(display.question([request.title]), value: request.bareTitle),
                Cell(Times.moment(since, now: context.now), value: Times.rfc3339(since)),
            ])
        }
        try context.list(table, empty: "no request waits for an answer")
        if !requests.isEmpty { context.output.hint("hsip agent requests answer \(requests[0].number)") }
        try context.output.succeed(["requests": .list(requests.map { $0.json(now: context.now) })])
    }
}

/// `hsip agent requests answer NUMBER`.
struct AgentRequestsAnswer: Command {
    static let path = "agent requests answer"
    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Answer a request that waits in a window elsewhere.",
        discussion: """
            The passphrase, or the PIN of a key slot, shows that it is you. Then choose: deny, once, or the \
            longer yes if the question offers one. The window closes, and the program goes on.

              hsip agent requests answer 2
            """
    )

    @Argument(help: "The number of the request, as hsip agent requests shows it.")
    var number: UInt64

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("agent requests answer")
        context.asksHere = true
        let agent = try context.runningAgent()
        let request = try await agent.requests().first { $0.number == number }
        let text = request.map { context.question("Your answer:", after: lines(of: $0, context)) }
        let given = try context.namedSecret()
        // The agent refuses an unknown number.
        try await context.ask(agent) { try await $0.answer(number, nil, secret: given) }
        guard let request, let text else { throw AgentError.lost(.unexpected) }
        let options = ["deny", "once"] + (request.longer.map { [$0.word] } ?? [])
        let chosen = try context.terminal.choose(
            text,
            among: options,
            flag: "hsip agent rule add",
            flushesTypeAhead: true
        )
        let answer = [RequestAnswer.deny, .once, .longer][chosen]
        try await agent.answer(number, answer)
        context.output.say("Request \(number): \(answer == .deny ? "denied" : "allowed").")
        try context.output.succeed([
            "number": .integer(Int64(clamping: number)), "answer": .text(answer.rawValue),
        ])
    }

    /// The lines of the prompt as in the window; names in them come from other programs.
    private func lines(of request: WaitingRequest, _ context: Context) -> [String] {
        let longer = request.longer.map { ["\($0.word): \($0.meaning)"] } ?? []
        return ([request.title] + request.lines + longer).map { context.output.display.question([$0]) }
    }
}

extension WaitingRequest {
    /// The title for scripts.
    fileprivate var bareTitle: String { Display.withoutIsolates(title) }

    /// The request for scripts (Schemas/cli/agent.schema.json).
    fileprivate func json(now: Int64) -> JSONValue {
        [
            "number": .integer(Int64(clamping: number)), "question": .text(bareTitle),
            "details": .list(lines.map { .text(Display.withoutIsolates($0)) }),
            "longer": .optional(longer?.word),
            "since": .time(now - Int64(clamping: seconds)),
        ]
    }
}
