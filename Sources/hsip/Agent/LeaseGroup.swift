internal import AgentProtocol
internal import ArgumentParser
internal import CLinux
internal import Commands
internal import Presentation
internal import SSHFormats
internal import System
internal import Text
internal import VaultPolicy

/// `hsip lease`: secrets, SSH keys and items for a command that runs unattended.
struct LeaseGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lease",
        abstract: "Let one command use some secrets or SSH keys for a while.",
        subcommands: [LeaseList.self, LeaseRun.self, LeaseEnd.self],
        defaultSubcommand: LeaseList.self
    )

    /// Returns a lease for scripts (Schemas/cli/lease.schema.json).
    static func json(_ lease: LeaseFacts, now: Int64) -> JSONValue {
        var (secrets, logins, items): ([JSONValue], [JSONValue], [JSONValue]) = ([], [], [])
        for thing in lease.request.things {
            switch thing {
            case .secret(let name): secrets.append(.text(name))
            case .login(let key, let host): logins.append(["key": .text(key), "host": .text(host)])
            case .item(let id): items.append(.text(id))
            }
        }
        return [
            "number": .integer(Int64(clamping: lease.number)),
            "secrets": .list(secrets), "logins": .list(logins), "items": .list(items),
            "reason": .text(lease.request.reason), "command": .text(lease.request.command),
            "pid": .integer(Int64(lease.pid)), "endsAt": .time(now + Int64(clamping: lease.seconds)),
            "uses": .integer(Int64(lease.uses)),
        ]
    }
}

/// `hsip lease [list]`.
struct LeaseList: Command {
    static let path = "lease list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the leases that hold at present.",
        discussion: """
              hsip lease
            """
    )

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("lease")
        let leases = try await context.runningAgent().leases()
        let display = context.output.display
        var table = Table([
            Column("lease", .left, .whole), Column("may use", .left, .whole), Column("command"),
            Column("until", .left, .whole), Column("reason", .left, .wrapped), Column("uses", .right, .whole),
        ])
        for lease in leases {
            let end = context.now + Int64(clamping: lease.seconds)
            table.add([
                Cell("\(lease.number)"),
                Cell(own: lease.request.things.map(\.text).joined(separator: ", "), display),
                Cell(own: lease.request.command, display),
                Cell(Times.moment(end, now: context.now), value: Times.rfc3339(end)),
                Cell(peer: lease.request.reason, display), Cell("\(lease.uses)"),
            ])
        }
        try context.list(table, empty: "no lease holds")
        try context.output.succeed(["leases": .list(leases.map { LeaseGroup.json($0, now: context.now) })])
    }
}

/// `hsip lease end NUMBER`.
struct LeaseEnd: Command {
    static let path = "lease end"
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End a lease now; its command goes on without it.",
        discussion: """
            hsip lock ends all leases.

              hsip lease end 412
            """
    )

    @Argument(help: "The number of the lease, as hsip lease shows it.")
    var number: UInt64

    func run(_ context: Context) async throws {
        try context.refuseNoAgent("lease end")
        try await context.runningAgent().endLease(number)
        context.output.say("Lease \(number) ended.")
        try context.output.succeed(["number": .integer(Int64(clamping: number))])
    }
}

/// `hsip lease run NAME… --ssh-key KEY --host HOST --item ID --for TIME --reason TEXT -- COMMAND`, or `--unit NAME`.
struct LeaseRun: Command {
    static let path = "lease run"
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command that may use these secrets alone.",
        discussion: """
            The command, or the service of --unit, may use the secrets, SSH keys and items that you \
            name, and so may its children. The lease ends with its time, with the command and when the \
            vault locks. Anything else that needs a question is refused at once. The log has the reason \
            at each use. Exit codes: see hsip run; with --unit 0, however the service ends.

              hsip lease run ci/npm ci/aws --for 20m --reason "deploy 4.2" -- ./up.sh
            """
    )

    @Argument(
        help: ArgumentHelp("The secrets, then -- and the command.", valueName: "words"),
        completion: .secrets
    )
    var words: [String] = []

    @Option(
        name: .customLong("ssh-key"),
        help: ArgumentHelp("An SSH key for logins; repeat it for more.", valueName: "key"),
        completion: .keys
    )
    var keys: [String] = []

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp("The server of each --ssh-key, in order.", valueName: "host"),
        completion: .hosts
    )
    var hosts: [String] = []

    @Option(
        name: .customLong("item"),
        help: ArgumentHelp("An item of a program, by its id.", valueName: "id"),
        completion: .items
    )
    var items: [String] = []

    @Option(name: .customLong("for"), help: ArgumentHelp("How long, at most 24h.", valueName: "span"))
    var span: String

    @Option(help: ArgumentHelp("Why, in one line; the log keeps it.", valueName: "text"))
    var reason: String

    @Option(help: ArgumentHelp("A service of yours that runs, in place of a command.", valueName: "name"))
    var unit: String?

    /// The words before `--`: the parser returns one list without the `--`.
    private var names: [String] { Array(words.dropLast(Self.wordsOfCommand)) }
    private var command: [String] { Array(words.suffix(Self.wordsOfCommand)) }

    /// The number of words after the first `--` of this process.
    private static var wordsOfCommand: Int {
        let words = CommandLine.arguments
        return words.firstIndex(of: "--").map { words.count - $0 - 1 } ?? 0
    }

    func run(_ context: Context) async throws {
        do {
            try await start(context)
        } catch {
            let program = context.output.display.text(command.first ?? "")
            throw RunningProgram.failure(
                error,
                program,
                after: "hsip lease run NAME --for 20m --reason TEXT --"
            )
        }
    }

    private func start(_ context: Context) async throws {
        try context.refuseNoAgent("lease run")
        switch (command.first, unit) {
        case (let word?, nil): try RunningProgram.find(word, context.environment)
        case (nil, _?): break
        case (nil, nil):
            throw Failure.usage(
                "name the command to run after --, or a service with --unit",
                hint: Lease.command()
            )
        case (_?, _?):
            throw Failure.usage(
                "a lease is for a command or for --unit, not for both",
                hint: "hsip lease run --help"
            )
        }
        let leased = try unit.map { (word) throws(Failure) in try LeasedUnit(word, context.environment) }
        let request = try request(leased)
        let agent = try context.runningAgent()
        let number = try await context.ask(agent) { try await $0.lease(request) }
        let names = Set(request.things).map(\.text).sorted().map { context.output.display.name($0) }
            .joined(separator: ", ")
        let end = Times.moment(context.now + Int64(request.seconds), now: context.now)
        let whom = leased.map { " for \($0.name) (process \($0.process.pid))" } ?? ""
        context.output.note("lease \(number)\(whom): \(names), until \(end), or until the vault locks")
        let signals = try SignalWatch()
        defer { signals.stop() }
        if let leased {
            try await wait(for: leased, number, agent, signals, context)
            return
        }
        // Orphaned children of the command stay below this process, where the agent looks for them.
        _ = hsip_adopt_orphans()
        context.exitStatus = try RunningProgram(command, context.environment).end(
            passing: signals,
            adopting: true
        )
    }

    /// Waits until a service, its lease or this program ends.
    private func wait(
        for unit: LeasedUnit,
        _ number: UInt64,
        _ agent: AgentClient,
        _ signals: SignalWatch,
        _ context: Context
    ) async throws {
        // A lease ends after its time, by a person or with a lock; the agent knows.
        while let lease = try? await agent.leases().first(where: { $0.number == number }) {
            let (signal, hasEnded) = unit.wait(min(lease.seconds + 1, 5), signals)
            if let signal { context.exitStatus = 128 + signal }
            guard signal == nil, !hasEnded else {
                context.output.note("lease \(number) ended\(hasEnded ? " with \(unit.name)" : "")")
                return
            }
        }
        context.output.note("lease \(number) ended")
    }

    private func request(_ unit: LeasedUnit?) throws(Failure) -> LeaseRequest {
        guard keys.count == hosts.count else {
            throw Failure.usage(
                "each --ssh-key needs its --host, and each --host its --ssh-key",
                hint: Lease.command("--ssh-key KEY --host HOST")
            )
        }
        let things =
            names.map { LeasedThing.secret(name: $0) }
            + zip(keys, hosts).map { .login(key: $0, host: Fingerprint.spelledHost($1)) }
            + items.map { .item(id: $0) }
        guard !things.isEmpty else {
            throw Failure.usage(
                "name at least one secret, --ssh-key or --item",
                hint: Lease.command()
            )
        }
        guard things.count <= Lease.mostNames else {
            throw Failure.usage(
                "a lease covers at most \(Lease.mostNames) secrets, SSH keys and items",
                hint: "hsip lease run --help"
            )
        }
        guard let seconds = Durations.parse(span), (1...Int64(Lease.longest)).contains(seconds) else {
            throw Failure.usage("--for needs a duration of at most a day", hint: "--for 20m")
        }
        guard Lease.isReason(reason) else {
            throw Failure.usage(
                "--reason needs one line of 1 to \(Lease.longestReason) characters, at most "
                    + "\(Lease.longestReasonInBytes) bytes, without control characters",
                hint: "--reason \"deploy 4.2\""
            )
        }
        // For people: the whole command line may be long.
        let line = command.joined(separator: " ").unicodeScalars.prefix(60)
        return LeaseRequest(
            things: things,
            seconds: UInt64(seconds),
            reason: reason,
            command: unit?.name ?? String(String.UnicodeScalarView(line)),
            process: unit?.process
        )
    }
}
