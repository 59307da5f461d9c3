internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Setup
internal import System
internal import Text

/// One run of a `setup` command: shows what changes, asks, writes, tells.
struct SetupRun {
    /// What is set up, as it is called in sentences: `systemd`.
    let name: String
    let options: SetupOptions
    let context: Context
    /// Whether something is left to do even where no file changes.
    var isDue = false

    /// Goes through with it.
    ///
    /// - Parameters:
    ///   - changes: What has to change for it, or for its undoing.
    ///   - isActive: Whether it is in place, before and after.
    ///   - before: What is done before the first file is written or removed.
    ///   - after: What is done once files were put in or taken out.
    /// - Throws: `notSetUp` for `--check`; `refused` when the person says no; what a change throws, after
    ///   those before it are undone; what `isActive`, `before` and `after` throw.
    func run(
        _ changes: [any SetupChange],
        isActive: () throws -> Bool,
        before: () throws -> Void = {},
        after: () throws -> Void
    ) throws {
        if options.check { return try judge(changes, isActive) }
        guard !changes.isEmpty || (isDue && !options.prints) else {
            let state = options.undo ? "not set up" : "set up already"
            context.output.note("\(name) is \(state); nothing changes")
            return try finish(changes, changed: false, isActive)
        }
        try SetupScreen.show(changes, context)
        if options.prints { return try finish(changes, changed: false, isActive) }
        guard try changes.isEmpty || context.agrees(SetupScreen.question(changes, undoing: options.undo))
        else { throw ConsoleError.refused }
        context.hasChanged = true
        try before()
        var done: [any SetupChange] = []
        do {
            for change in changes {
                try change.apply()
                done.append(change)
            }
        } catch {
            for change in done.reversed() { try? change.undo() }
            throw error
        }
        try after()
        try finish(changes, changed: true, isActive)
    }

    private func judge(_ changes: [any SetupChange], _ isActive: () throws -> Bool) throws {
        guard changes.isEmpty, try isActive() else {
            throw Failure(
                .notSetUp,
                "\(name) is not set up, or not as it should be",
                hint: "hsip setup \(name)"
            )
        }
        context.output.note("\(name) is set up")
        try finish([], changed: false, isActive)
    }

    private func finish(
        _ changes: [any SetupChange],
        changed: Bool,
        _ isActive: () throws -> Bool
    ) throws {
        try context.output.succeed([
            "active": .bool(try isActive()), "changed": .bool(changed),
            "changes": .list(changes.map(\.json)),
        ])
    }
}

/// What a `setup` command shows of its changes.
enum SetupScreen {
    /// The difference is data: what is piped is what `patch` takes.
    static func show(_ changes: [any SetupChange], _ context: Context) throws {
        for change in changes {
            if let file = (change as? FileChange)?.file, file.isLink {
                context.output.note("\(file.path) is a link to \(file.target), which is what changes")
            }
            let diff = change.diff
            guard context.console.outputIsTerminal else {
                try context.output.data(diff)
                continue
            }
            let text = context.output.display.text(String(decoding: diff, as: UTF8.self))
            for line in text.split(separator: "\n") { try context.output.line(painted(line, context)) }
        }
    }

    static func question(_ changes: [any SetupChange], undoing: Bool) -> String {
        let files = changes.map(\.place).joined(separator: " and ")
        let these = changes.count == 1 ? "this" : "these"
        return undoing ? "Remove \(these) from \(files)?" : "Write \(these) to \(files)?"
    }

    private static func painted(_ line: Substring, _ context: Context) -> String {
        switch line.first {
        case "+": context.output.style.paint(String(line), .good)
        case "-": context.output.style.paint(String(line), .danger)
        case "@": context.output.style.paint(String(line), .past)
        default: String(line)
        }
    }
}

/// The options of every `setup` command.
struct SetupOptions: ParsableArguments {
    @Flag(help: "Check whether everything is in place; change nothing.")
    var check = false
    @Flag(name: .customLong("print"), help: "Print what would change, as diff -u does, and change nothing.")
    var prints = false
    @Flag(help: "Remove what was added.")
    var undo = false

    func validate() throws {
        guard [check, prints, undo].count(where: { $0 }) <= 1 || (prints && undo && !check) else {
            throw ValidationError("--check, --print and --undo exclude each other")
        }
    }
}

/// `hsip setup`: other programs brought together with the vault.
struct SetupGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Connect ssh, git, docker and the desktop to the vault.",
        subcommands: [
            SetupSSH.self, SetupGit.self, SetupDocker.self, SetupSystemd.self, SetupDesktop.self,
            SetupBackup.self, SetupKeyring.self, SetupSyncGroup.self,
        ]
    )
}
