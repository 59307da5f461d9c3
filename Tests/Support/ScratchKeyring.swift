internal import Foundation
internal import Synchronization

/// A session bus of its own with a real GNOME Keyring on it, in a folder of its own.
///
/// Nothing of the user's session is reached, and nothing is started by the bus: a keyring that was killed
/// stays dead. Everything ends with the last holder, or with the test process.
public final class ScratchKeyring: Sendable {
    /// What a program needs to find this session and nothing else.
    public let environment: [String: String]
    /// Where all of it lies.
    public let folder: String
    /// The password of the login keyring.
    public let password: String

    private let scratch: StoreScratch
    private let guardian: Helper
    private let state = Mutex(State())

    /// Waits for a word that all is well, or for the end of the test process; then ends what it left.
    private static let watch = """
        read word && exit
        while read pid; do
            case $(cat /proc/$pid/comm 2>/dev/null) in
                dbus-daemon | gnome-keyring-d | python3) kill -9 $pid ;;
            esac
        done <$0/pids
        rm -rf "$0"
        """

    private struct State {
        var bus: Helper?
        var keyring: Helper?
        var prompter: Helper?
    }

    /// What the stand-in for the desktop's prompt does.
    public enum Answer: Sendable {
        /// Gives the password, or any other.
        case password(String)
        /// Closes the prompt.
        case no
        /// Shows it and leaves it open.
        case silence
    }

    /// Starts bus and keyring, and waits until the keyring answers.
    ///
    /// - Parameters:
    ///   - password: Of the login keyring, which is made and unlocked.
    ///   - foreign: How many items of other programs the default keyring has; with any, it is one without a
    ///     password, and not the login keyring.
    ///   - foreignLength: How long their secrets are at least.
    ///   - foreignMark: An attribute that each of them has, with the value `1`.
    ///   - hasKeyring: Without it there is only a bus.
    ///   - activated: The command with which the bus starts a Secret Service that is asked for; none when
    ///     nil.
    /// - Throws: `HelperFailure` when a program does not start or answer; what the file system refuses.
    public init(
        password: String = "open sesame",
        foreign: Int = 0,
        foreignLength: Int = 0,
        foreignMark: String? = nil,
        hasKeyring: Bool = true,
        activated: String? = nil
    ) throws {
        scratch = try StoreScratch()
        folder = scratch.path
        self.password = password
        var environment = ["HOME": folder, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        for (variable, name) in [
            "XDG_RUNTIME_DIR": "run", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config",
            "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state",
        ] {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            environment[variable] = path
        }
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder)/run/bus"
        self.environment = environment
        guardian = try Helper(
            ["sh", "-c", Self.watch, folder],
            environment: environment,
            input: "",
            staysOpen: true
        )
        if let activated { try writeService(activated) }
        if foreign > 0 {
            try ForeignItems.write(
                foreign,
                length: foreignLength,
                mark: foreignMark,
                to: folder + "/data/keyrings"
            )
        }
        try startBus()
        if hasKeyring { try startKeyring() }
    }

    /// Starts the bus; only after its end.
    public func startBus() throws {
        let configuration = """
            <busconfig><type>session</type><listen>unix:path=\(folder)/run/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy><servicedir>\(folder)/services</servicedir>
            <limit name="max_incoming_bytes">1000000000</limit>
            <limit name="max_outgoing_bytes">1000000000</limit>
            <limit name="max_message_size">1000000000</limit></busconfig>
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/bus.conf"))
        try? FileManager.default.removeItem(atPath: folder + "/run/bus")
        let bus = try Helper(
            [
                "dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile",
                "--print-address=1",
            ],
            environment: environment
        )
        // The address is printed when the bus listens.
        try bus.readLine()
        try note(bus)
        state.withLock { $0.bus = bus }
    }

    private func writeService(_ command: String) throws {
        let services = folder + "/services"
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: false)
        let text = "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=\(command)\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: services + "/secrets.service"))
    }

    /// Starts the keyring over the same files; only after its end.
    ///
    /// - Parameter unlocked: Whether the login keyring is unlocked with its password.
    /// - Throws: `HelperFailure` when it does not start, or does not answer within a minute.
    public func startKeyring(unlocked: Bool = true) throws {
        let keyring = try Helper(
            ["gnome-keyring-daemon"] + (unlocked ? ["--unlock"] : ["--start"])
                + ["--components=secrets", "--foreground"],
            environment: environment,
            input: unlocked ? password : ""
        )
        try note(keyring)
        state.withLock { $0.keyring = keyring }
        try run(["gdbus", "wait", "--session", "--timeout", "60", "org.freedesktop.secrets"])
    }

    /// The path of a program, from the folder of this file.
    public static func script(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/" + name
    }

    /// Starts somebody who answers prompts; the one before goes.
    ///
    /// Without anybody every prompt is dismissed.
    public func startPrompter(_ answer: Answer) throws {
        state.withLock { $0.prompter.take() }?.kill()
        let script = Self.script("../Blackbox/prompter.py")
        let words =
            switch answer {
            case .password(let password): ["yes", password]
            case .no: ["no"]
            case .silence: ["away"]
            }
        let prompter = try Helper(["python3", script] + words, environment: environment)
        try note(prompter)
        try prompter.readLine()
        state.withLock { $0.prompter = prompter }
    }

    /// Waits until the next prompt is shown.
    public func waitForPrompt() throws { try state.withLock { $0.prompter }?.readLine() }

    private func note(_ helper: Helper) throws {
        let path = folder + "/pids"
        let known = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        try Data("\(known)\(helper.identifier)\n".utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Runs a program in this session, to its end.
    ///
    /// - Returns: what it wrote to standard output.
    /// - Throws: `HelperFailure` unless it ends with `status`.
    @discardableResult
    public func run(_ command: [String], input: String = "", status: Int32 = 0) throws -> String {
        try Helper(command, environment: environment, input: input).output(status: status)
    }

    /// Locks the default keyring.
    public func lock() throws {
        // Not by secret-tool, whose command for it crashes.
        try run([
            "gdbus", "call", "--session", "--dest", "org.freedesktop.secrets", "--object-path",
            "/org/freedesktop/secrets", "--method", "org.freedesktop.Secret.Service.Lock",
            "['/org/freedesktop/secrets/aliases/default']",
        ])
    }

    /// Ends the keyring at once, in whatever it does; returns when it is gone.
    public func killKeyring() { state.withLock { $0.keyring.take() }?.kill() }

    /// Ends the bus at once; returns when it is gone.
    public func killBus() { state.withLock { $0.bus.take() }?.kill() }

    /// Stops the keyring where it is: it takes calls and answers none.
    public func stopKeyring() { state.withLock { $0.keyring }?.signal(SIGSTOP) }

    /// Stops the bus where it is: anyone who connects hears nothing.
    public func stopBus() { state.withLock { $0.bus }?.signal(SIGSTOP) }

    /// Lets a stopped keyring go on.
    public func resumeKeyring() { state.withLock { $0.keyring }?.signal(SIGCONT) }

    deinit {
        state.withLock { $0.prompter.take() }?.kill()
        killKeyring()
        killBus()
        try? guardian.tell("well\n")
    }
}
