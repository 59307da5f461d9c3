internal import ArgumentParser
internal import Commands
internal import Presentation
internal import SSHFormats
internal import Setup
internal import System
internal import Text
internal import VaultLifecycle

/// `hsip setup ssh`.
struct SetupSSH: Command {
    static let path = "setup ssh"
    static let configuration = CommandConfiguration(
        commandName: "ssh",
        abstract: "Let ssh use the hosts, host keys and keys of the vault.",
        discussion: """
            hsip shows the changes first and checks with ssh. ~/.config/hsip/ssh_config gets the \
            settings, and ~/.ssh/config a first line that includes it.

            ssh no longer reads ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts. Hosts that only these \
            files know become unknown, so import them first. With the agent, the vault opens once; \
            without it, twice per connection.

              hsip ssh host import ~/.ssh/known_hosts
              hsip setup ssh
            """
    )

    @OptionGroup var options: SetupOptions

    private var check: Bool { options.check }
    private var prints: Bool { options.prints }
    private var undo: Bool { options.undo }

    func run(_ context: Context) async throws {
        let setup = try SSHSetup(try context.sshPlaces(), vault: try context.place())
        if undo { return try takeOut(setup, context) }
        let vault = try await context.openVault()
        let reading = try SSHReading(context.environment)
        let made = try await FragmentMaker(context, vault).make(publishing: !check && !prints, isNew: !check)
        if check { return try judge(setup, made, reading, context) }
        // Public halves of keys are written by now.
        context.hasChanged = !prints
        try setup.checkReadable(reading)
        let changes = try setup.changes(to: Array(made.fragment.text.utf8))
        if changes.isEmpty {
            context.output.note("ssh is set up already; nothing changes")
            return try finish(changes, changed: false, made.hosts, setup, context)
        }
        try SetupScreen.show(changes, context)
        if try !setup.isActive() { try await UnknownLines(context: context, vault: vault).warn(setup.places) }
        if prints { return try finish(changes, changed: false, made.hosts, setup, context) }
        guard try context.agrees(SetupScreen.question(changes, undoing: false)) else {
            throw ConsoleError.refused
        }
        try setup.apply(changes, made.fragment, reading)
        tell(setup, context)
        try finish(changes, changed: true, made.hosts, setup, context)
    }

    /// Whether ssh does as it should, by ssh's own words.
    private func judge(
        _ setup: SSHSetup,
        _ made: FragmentMaker.Made,
        _ reading: SSHReading,
        _ context: Context
    ) throws {
        let changes = try setup.changes(to: Array(made.fragment.text.utf8))
        guard try setup.isActive() || changes.isEmpty else {
            throw Failure(.sshNotSetUp, "ssh does not ask this vault yet", hint: "hsip setup ssh")
        }
        guard changes.isEmpty else {
            throw SSHSetup.ineffective(
                changes.map { "\($0.file.path) differs from what hsip setup ssh writes" }
            )
        }
        // As ssh itself finds its settings, where it finds these.
        let config = setup.places.isElsewhere ? try FoundFile(setup.places.config).bytes ?? [] : nil
        guard let differences = try reading.differences(made.fragment, in: config) else {
            throw SSHSetup.ineffective(["ssh refuses its settings"])
        }
        guard differences.isEmpty else { throw SSHSetup.ineffective(differences) }
        context.output.note("ssh asks the vault about every host, and knows \(made.hosts.count) of its own")
        try finish([], changed: false, made.hosts, setup, context)
    }

    private func takeOut(_ setup: SSHSetup, _ context: Context) throws {
        let (changes, missing) = try setup.undoing()
        for text in missing { context.output.note(text) }
        if changes.isEmpty {
            context.output.note("ssh is not set up; nothing changes")
        } else {
            try SetupScreen.show(changes, context)
            if prints { return try finish(changes, changed: false, nil, setup, context) }
            guard try context.agrees(SetupScreen.question(changes, undoing: true)) else {
                throw ConsoleError.refused
            }
        }
        if !prints {
            try setup.undo(changes)
            if !changes.isEmpty {
                context.output.note("ssh reads \(context.path(setup.places.knownHosts).shown) again")
            }
        }
        try finish(changes, changed: !changes.isEmpty && !prints, nil, setup, context)
    }

    private func tell(_ setup: SSHSetup, _ context: Context) {
        context.output.note(
            "ssh asks the vault about every host from now on; hsip setup ssh --undo  ends that"
        )
        if setup.places.isElsewhere {
            context.output.warn(
                Warning(
                    "sshHomeDiffers",
                    "ssh looks for its settings in \(setup.places.accountHome), not in $HOME",
                    hint: "ssh -F \(ShellWord.quoted(setup.places.config)) NAME"
                )
            )
        }
    }

    private func finish(
        _ changes: [FileChange],
        changed: Bool,
        _ hosts: [String]?,
        _ setup: SSHSetup,
        _ context: Context
    ) throws {
        try context.output.succeed([
            "active": .bool(try setup.isActive()), "changed": .bool(changed),
            "changes": .list(changes.map(\.json)),
            "hosts": hosts.map { .list($0.map { .text($0) }) } ?? .null,
        ])
    }
}
