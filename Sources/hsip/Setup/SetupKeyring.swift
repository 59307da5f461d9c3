internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import Setup
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip setup keyring`.
struct SetupKeyring: Command {
    static let path = "setup keyring"
    static let configuration = CommandConfiguration(
        commandName: "keyring",
        abstract: "Use the vault as the desktop's keyring.",
        discussion: """
            Programs that ask for org.freedesktop.secrets on the session bus then get hsip-secrets, and \
            GNOME Keyring does not start its own service for you. A trial stores, finds, reads and removes \
            an item; if it fails, hsip restores the old state. hsip asks before it imports the passwords \
            of the old keyring, which keeps them too.

              hsip setup keyring
              hsip setup keyring --print
              hsip setup keyring --undo
            """
    )

    @OptionGroup var options: SetupOptions

    @Flag(
        name: .customLong("portal"),
        help: "Also keep the keys of sandboxed apps here, by portals.conf."
    )
    var choosesPortal = false

    @Flag(
        name: .customLong("at-login"),
        help: "Ask for the passphrase at each login, before programs need it."
    )
    var asksAtLogin = false

    @Flag(name: .customLong("no-import"), help: "Do not import the passwords of the old keyring.")
    var leavesItems = false

    private var writes: Bool { !options.check && !options.prints }

    func run(_ context: Context) async throws {
        let place = try context.place()
        let record = try ProviderSetup.record(place)
        if let other = record?.vault, other != place.key { throw Self.taken(by: other, context) }
        let setup = try Self.setup(
            place,
            context,
            isUndo: options.undo,
            asksAtLogin: asksAtLogin,
            choosesPortal: choosesPortal
        )
        if options.undo { return try undo(setup, context) }
        try refuse(place, context)
        try await begin(setup, record, context)
    }

    private func begin(_ setup: ProviderSetup, _ before: ProviderRecord?, _ context: Context) async throws {
        let session = ProviderSession(context)
        let changes = try setup.files.changes()
        let isDue = before?.isTried != true || !changes.isEmpty
        if writes, isDue {
            try context.refuseNoAgent(Self.path)
            _ = try session.bus()
            try await context.openAgent()
            if before?.isTried != true, !leavesItems { try await ProviderImport(context).run() }
        }
        var hasBegun = false
        do {
            try SetupRun(name: "keyring", options: options, context: context, isDue: isDue).run(
                changes,
                isActive: { try setup.isActive() },
                before: {
                    try setup.begin()
                    hasBegun = true
                },
                after: { try tryOut(setup, session, context) }
            )
        } catch {
            if hasBegun { takeBack(changes, before, setup, session, context) }
            throw error
        }
    }

    private func tryOut(_ setup: ProviderSetup, _ session: ProviderSession, _ context: Context) throws {
        session.reload()
        guard try session.freesName() else { return }
        try ProviderTrial(context).run()
        try setup.succeed()
        context.output.note("the vault keeps the secrets of other programs from now on")
        for line in setup.files.advice { context.output.hint(line) }
        if let path = try setup.files.foreignPortalChoice() {
            context.output.hint(
                "add org.freedesktop.impl.portal.Secret=hsip to \(context.output.display.name(path))"
            )
        }
    }

    /// Puts everything back after a failure: what a setup that works had before, or nothing.
    private func takeBack(
        _ changes: [FileChange],
        _ before: ProviderRecord?,
        _ setup: ProviderSetup,
        _ session: ProviderSession,
        _ context: Context
    ) {
        do throws(Failure) {
            if before?.isTried == true {
                for change in changes.reversed() { try change.undo() }
            } else {
                try setup.removeFiles()
            }
            session.reload()
            session.stop()
            if before?.isTried != true { try setup.end() }
            context.output.note("everything is as it was before")
        } catch {
            // The service of before is started below: not beside what this setup started.
            session.reload()
            session.stop()
            context.output.hint("hsip setup keyring --undo")
        }
        if before?.isTried != true { session.startOther() }
    }

    private func undo(_ setup: ProviderSetup, _ context: Context) throws {
        let session = ProviderSession(context)
        let (changes, kept) = try setup.undoing()
        for path in kept { warn(of: path, context) }
        let isLeft = try setup.record() != nil
        // A setup that was killed at its very beginning left the beginning of a record.
        if writes, !isLeft, changes.isEmpty { try setup.end() }
        try SetupRun(name: "keyring", options: options, context: context, isDue: isLeft).run(
            changes,
            isActive: { try setup.record() != nil || setup.isAnyThere() },
            after: {
                session.reload()
                session.stop()
                try setup.end()
                session.startOther()
                context.output.note("what programs stored in the vault stays in the vault")
            }
        )
    }

    private func warn(of path: String, _ context: Context) {
        context.output.warn(
            Warning(
                "fileKept",
                "\(context.output.display.name(path)) was changed after hsip wrote it, so the file stays",
                hint: "rm \(ShellWord.quoted(path))"
            )
        )
    }

    /// What `setup keyring` does for a vault, with these options.
    static func setup(
        _ place: VaultPlace,
        _ context: Context,
        isUndo: Bool = false,
        asksAtLogin: Bool = false,
        choosesPortal: Bool = false
    ) throws -> ProviderSetup {
        let environment = context.environment
        let data =
            if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { data } else {
                try environment.home(for: "hsip setup keyring") + "/.local/share"
            }
        let installed = AgentLauncher.secretsProgram(environment)
        guard let program = installed ?? (isUndo ? "/usr/libexec/hsip-secrets" : nil) else {
            throw Self.notInstalled
        }
        let files = try ProviderFiles(
            vault: place.key,
            program: program,
            opener: try OwnProgram.path(environment),
            places: ProviderPlaces(
                config: Path.folder(of: Path.folder(of: place.configPath)),
                data: data,
                environment
            ),
            asksAtLogin: asksAtLogin,
            choosesPortal: choosesPortal
        )
        return ProviderSetup(files, place)
    }

    /// Refuses a vault that would wait for itself.
    private func refuse(_ place: VaultPlace, _ context: Context) throws {
        guard case .file(let overview) = try context.find(place) else {
            throw Failure(
                .ownProvider,
                "the vault is in the desktop's keyring, so it cannot replace that keyring",
                hint: "hsip vault migrate --to file"
            )
        }
        guard !overview.has(.secretService) else {
            throw Failure(
                .ownProvider,
                "a key slot of this vault is in the desktop's keyring, which the vault would replace",
                hint: "hsip vault slot rm keyring"
            )
        }
    }

    /// There is no `hsip-secrets` on this machine.
    static var notInstalled: Failure {
        Failure(
            .unavailable,
            "hsip-secrets is not installed beside hsip, in /usr/libexec or in $PATH",
            hint: "apt install hsip-agent"
        )
    }

    private static func taken(by other: String, _ context: Context) -> Failure {
        Failure(
            .providerTaken,
            "the vault \(context.output.display.name(other)) keeps the secrets of other programs already",
            hint: "hsip --vault \(ShellWord.quoted(other)) setup keyring --undo"
        )
    }
}
