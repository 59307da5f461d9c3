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
