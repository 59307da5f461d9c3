internal import Commands
internal import FileStore
internal import Glibc
internal import Presentation
internal import RecordStore
internal import System
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle
internal import VaultPolicy

/// A session bus with a keyring on a vault of its own, in one private folder.
final class ThrowawayKeyring {
    /// A time without a lock in seconds, longer than the vault exists.
    private static let never = "31536000"
    /// Returns the settings of a bus that starts no programs, with the limits of a desktop bus.
    private static func settings(_ address: String) -> String {
        let limits = [
            ("max_incoming_bytes", 1_000_000_000), ("max_outgoing_bytes", 1_000_000_000),
            ("max_message_size", 1_000_000_000), ("max_match_rules_per_connection", 50_000),
            ("max_replies_per_connection", 50_000),
        ]
        let lines =
            ["<type>session</type>", "<listen>\(address)</listen>", "<auth>EXTERNAL</auth>"]
            + ["<policy context=\"default\">", "<allow send_destination=\"*\" eavesdrop=\"true\"/>"]
            + ["<allow eavesdrop=\"true\"/>", "<allow own=\"*\"/>", "</policy>"]
            + limits.map { "<limit name=\"\($0.0)\">\($0.1)</limit>" }
        return "<busconfig>\n" + lines.joined(separator: "\n") + "\n</busconfig>\n"
    }

    private let programs: (bus: String, agent: String, secrets: String)
    private let folder: ThrowawayFolder

    /// The address of the bus.
    var address: String { "unix:path=\(folder.path)/bus" }

    /// Creates the folder.
    ///
    /// - Throws: `missingProgram`, `agentNotInstalled`; the errors of creating a folder.
    init(_ environment: Environment) throws {
        guard let bus = ChildProcess.find(HelperProgram.dbusDaemon.executable, in: environment) else {
            throw ProgramError.missingProgram(.dbusDaemon)
        }
        guard let agent = AgentLauncher.program(environment) else { throw AgentLauncher.notInstalled }
        guard let secrets = AgentLauncher.secretsProgram(environment) else { throw SetupKeyring.notInstalled }
        programs = (bus, agent, secrets)
        folder = try ThrowawayFolder(environment)
    }

    /// Starts the programs of the keyring.
    func start() async throws {
        try startBus()
        let context = Context(
            command: KeyringRun.path,
            globals: try Globals.split(["--quiet", "--no-input"]).0,
            environment: Environment(variables)
        )
        let code = try NewRecoveryCode()
        try await makeVault(code, context)
        try writePinentry(code)
        try begin(programs.agent, ["--idle", Self.never, "--longest", Self.never])
        try await context.openInAgent(with: code.text)
        try begin(programs.secrets)
    }

    /// Ends the programs, and removes the folder.
    func end() { folder.end() }

    /// The environment of its programs: this folder instead of a home, and only its own bus.
    private var variables: [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PATH": folder.path, "LANG": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": address,
            // Screen locks and suspends of the user do not affect it.
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/none",
            // The pinentry in this folder answers; it needs the name of a display, but none exists.
            "DISPLAY": ":none",
        ]
    }

    private func startBus() throws {
        let settings = Array(Self.settings(address).utf8)
        try OwnFile.writeKept(settings, to: "\(folder.path)/bus.conf", isFlushed: false)
        let pipe = try Pipe()
        defer { pipe.close() }
        let plan = SpawnPlan()
        for standard in [STDIN_FILENO, STDERR_FILENO] { plan.giveNothing(as: standard) }
        plan.give(pipe.writeEnd, as: STDOUT_FILENO)
        plan.close(from: 3)
        plan.resetSignals()
        plan.leadSession()
        let words = [
            programs.bus, "--config-file=\(folder.path)/bus.conf", "--nofork", "--nosyslog", "--nopidfile",
            "--print-address=1",
        ]
        folder.endsWith(try plan.start(words, ["PATH=/usr/bin:/bin"]))
        pipe.closeWriteEnd()
        // The bus prints its address once it listens.
        var (request, byte) = (pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0), UInt8(0))
        guard unsafe poll(&request, 1, Int32(AgentSpawn.seconds) * 1_000) > 0,
            unsafe read(pipe.readEnd, &byte, 1) == 1
        else {
            throw Failure(.unavailable, "dbus-daemon did not start", hint: "dbus-daemon --session --nofork")
        }
    }

    /// Writes the program that answers for a person: it approves each prompt that no rule decides, and enters the
    /// code if a program has locked the keyring.
    ///
    /// It recognises prompts by the titles of `PinentryPrompter`.
    private func writePinentry(_ code: NewRecoveryCode) throws {
        try OwnFile.writeKept(code.text, to: "\(folder.path)/code", isFlushed: false)
        let script = """
            #!/bin/sh
            read -r code <'\(folder.path)/code'
            echo OK
            while read -r command rest; do
                case $command in
                SETPROMPT) prompt=$rest ;;
                GETPIN) if [ "$prompt" = 'Answer:' ]; then echo D yes; else echo "D $code"; fi ;;
                esac
                echo OK
                [ "$command" != BYE ] || exit 0
            done

            """
        let path = "\(folder.path)/pinentry"
        try OwnFile.writeKept(Array(script.utf8), to: path, mode: 0o700, isFlushed: false)
    }

    /// Creates a vault with a random code, and with rules that give every program access to every item.
    private func makeVault(_ code: NewRecoveryCode, _ context: Context) async throws {
        let store = try VaultCreation(at: context.locator(try context.place()))
            .makeFile([NewSlot(.recovery(code.secret), label: "throwaway")], .asked)
        let vault = Vault(store: store)
        for kind in [ActKind.item, .itemChange] {
            var rule = Rule(name: kind.rawValue, effect: .allow)
            rule.kind = kind
            try await vault.addRule(rule)
        }
    }

    private func begin(_ program: String, _ options: [String] = []) throws {
        let started = try AgentSpawn(program, vault: "vault", options: options, Environment(variables))
        folder.endsWith(started.process)
        guard started.isReady else { throw AgentLauncher.notStarted(started.lines.last) }
    }
}
