internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Setup
internal import System
internal import VaultLifecycle

/// `hsip setup systemd`.
struct SetupSystemd: Command {
    static let path = "setup systemd"
    static let configuration = CommandConfiguration(
        commandName: "systemd",
        abstract: "Let systemd start the agent when a program needs it.",
        discussion: """
            hsip writes three units to ~/.config/systemd/user and enables the two sockets. The agent \
            starts locked. With --credential it opens a server's vault by itself: systemd decrypts the \
            key of a slot for it, on this machine alone.

              hsip setup systemd
              hsip setup systemd --credential
              hsip setup systemd --undo
            """
    )

    @OptionGroup var options: SetupOptions

    @Flag(
        name: .customLong("store-added"),
        help: "Save keys from ssh-add in the vault, not only in memory."
    )
    var storesAdded = false

    @Flag(help: "Let a systemd credential open the vault, without a person.")
    var credential = false

    func run(_ context: Context) async throws {
        let place = try context.place()
        let environment = context.environment
        guard let program = AgentLauncher.program(environment) else { throw AgentLauncher.notInstalled }
        let units = try ServiceUnits(
            vault: place.key,
            program: program,
            paths: try context.agentPaths(),
            runtime: environment["XDG_RUNTIME_DIR"],
            storesAdded: storesAdded
        )
        let service = "\(units.name).service"
        let key = SystemdCredential(context, place, unit: units.name)
        let hasKey = credential || key.isSetUp
        let setup = UnitSetup(
            name: "systemd",
            heading: ServiceUnits.heading,
            texts: units.texts + (hasKey ? [try key.settings()] : []),
            started: units.sockets,
            stopped: units.sockets + [service],
            isWhole: { !hasKey || key.isThere }
        )
        // An agent that was started by hand holds the sockets until it has ended.
        try setup.run(
            options,
            at: place,
            context,
            making: { if hasKey, !key.isThere || credential { try key.make() } },
            done: "systemd starts the agent from now on when a program connects"
        ) {
            context.output.warn(
                Warning(
                    "agentWarning",
                    "systemd could not take over the sockets of the agent",
                    hint:
                        "hsip agent stop && systemctl --user enable --now \(units.sockets[0]) \(units.sockets[1])"
                )
            )
        }
        guard !options.prints, !options.check else { return }
        if options.undo { key.forget() }
        guard credential else { return }
        context.output.hint("systemctl --user restart \(service)  if the agent runs already")
    }
}

/// Units of systemd that a `setup` command writes, starts, stops and removes.
struct UnitSetup {
    /// What is set up, as it is called in sentences.
    let name: String
    /// The first line of each file, by which it is known again.
    let heading: String
    let texts: [(name: String, text: String)]
    /// The units that are enabled and started.
    let started: [String]
    /// The units that are disabled and stopped before their files are removed.
    let stopped: [String]
    /// Whether everything else that the units need is there.
    var isWhole: () -> Bool = { true }

    /// Goes through with it.
    ///
    /// - Parameters:
    ///   - options: What is wanted: to set up, to undo, to check, to print.
    ///   - place: The vault whose configuration lies beside the units.
    ///   - context: Where it asks and tells.
    ///   - making: Makes everything else that the units need, before the first file is written.
    ///   - done: What is said once systemd has started the units.
    ///   - failed: Called where systemd could not start them.
    /// - Throws: what `SetupRun` throws.
    func run(
        _ options: SetupOptions,
        at place: VaultPlace,
        _ context: Context,
        making: () throws -> Void = {},
        done: String,
        failed: () -> Void
    ) throws {
        let files = WholeFiles(
            heading: heading,
            files: texts.map { ("\(place.unitFolder)/\($0.name)", $0.text) }
        )
        let manager = ServiceControl(context.environment)
        let isDue = !options.undo && !isWhole()
        try SetupRun(name: name, options: options, context: context, isDue: isDue).run(
            try options.undo ? files.undoing() : files.changes(),
            isActive: {
                try options.undo ? !files.undoing().isEmpty : files.changes().isEmpty && isWhole()
            },
            before: {
                guard options.undo else { return try making() }
                if !manager.tell(["disable", "--now"] + stopped) {
                    context.output.note("systemd did not answer; its units are removed all the same")
                }
            },
            after: {
                guard manager.tell(["daemon-reload"]) else {
                    context.output.hint("systemctl --user daemon-reload")
                    return
                }
                guard !options.undo else { return }
                guard manager.tell(["enable", "--now"] + started) else { return failed() }
                context.output.note(done)
            }
        )
    }
}

extension VaultPlace {
    /// Where the units of the user's systemd are.
    var unitFolder: String { "\(Path.folder(of: Path.folder(of: configPath)))/systemd/user" }
}
