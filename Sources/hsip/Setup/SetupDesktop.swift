internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Setup
internal import System
internal import VaultLifecycle

/// `hsip setup desktop`.
struct SetupDesktop: Command {
    static let path = "setup desktop"
    static let configuration = CommandConfiguration(
        commandName: "desktop",
        abstract: "Let the desktop open hsip: links with hsip accept.",
        discussion: """
            A click on such a link opens a terminal with hsip accept --link, which shows whose code it is \
            and always asks.

              hsip setup desktop
              hsip setup desktop --undo
            """
    )

    static let fileName = "io.hsip.vault.desktop"

    @OptionGroup var options: SetupOptions

    func run(_ context: Context) async throws {
        let environment = context.environment
        let files = WholeFiles(
            heading: "# Made by hsip setup desktop",
            files: [
                (
                    "\(try Self.folder(environment))/\(Self.fileName)",
                    try Self.text(program: try OwnProgram.path(environment))
                )
            ]
        )
        try SetupRun(name: "desktop", options: options, context: context).run(
            try options.undo ? files.undoing() : files.changes(),
            isActive: { try files.changes().isEmpty },
            after: {
                let folder = try Self.folder(environment)
                Self.tell("update-desktop-database", [folder], environment)
                guard !options.undo else { return }
                Self.tell("xdg-mime", ["default", Self.fileName, "x-scheme-handler/hsip"], environment)
                context.output.note("links that begin with hsip: are opened by hsip accept")
            }
        )
    }

    /// What a desktop reads (Desktop Entry Specification).
    static func text(program: String) throws(Failure) -> String {
        guard program.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !program.contains(where: { "\"'\\><~|&;$*?#()`%".contains($0) })
        else {
            throw Failure(
                .unavailable,
                "the path of hsip has characters with a special meaning to the desktop",
                hint: "hsip accept LINK"
            )
        }
        return """
            [Desktop Entry]
            Type=Application
            Name=HSIP Vault
            Comment=Takes the code of a link
            Exec=\(program) accept --link %u
            Terminal=true
            NoDisplay=true
            MimeType=x-scheme-handler/hsip;

            """
    }

    private static func folder(_ environment: Environment) throws(Failure) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/applications" }
        let home = try environment.home(for: "hsip setup desktop")
        return home + "/.local/share/applications"
    }

    /// What a desktop does not have, it does not need.
    private static func tell(_ tool: String, _ words: [String], _ environment: Environment) {
        guard let path = ChildProcess.find(tool, in: environment) else { return }
        var process = ChildProcess(path: path)
        process.arguments = words
        process.keepsOutput = false
        for name in [
            "PATH", "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP",
        ] {
            if let value = environment[name] { process.environment.append("\(name)=\(value)") }
        }
        _ = try? process.run()
    }
}
