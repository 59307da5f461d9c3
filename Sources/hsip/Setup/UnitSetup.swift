internal import Commands
internal import Presentation
internal import Setup
internal import System
internal import VaultLifecycle

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
