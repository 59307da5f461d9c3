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
    private let state = Mutex(State())

    private struct State {
        var bus: Helper?
        var keyring: Helper?
    }

    /// Starts bus and keyring, and waits until the keyring answers.
    ///
    /// - Parameters:
    ///   - password: Of the login keyring, which is made and unlocked.
    ///   - foreign: How many items of other programs the default keyring has; with any, it is one without a
    ///     password, and not the login keyring.
    ///   - hasKeyring: Without it there is only a bus.
    public init(password: String = "open sesame", foreign: Int = 0, hasKeyring: Bool = true) throws {
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
        if foreign > 0 { try ForeignItems.write(foreign, to: folder + "/data/keyrings") }
        try startBus()
        if hasKeyring { try startKeyring() }
    }

    /// Starts the bus; only after its end.
    public func startBus() throws {
        let configuration = """
            <busconfig><type>session</type><listen>unix:path=\(folder)/run/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy>
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
        state.withLock { $0.bus = bus }
    }

    /// Starts the keyring over the same files; only after its end.
    ///
    /// - Parameter unlocked: Whether the login keyring is unlocked with its password.
    public func startKeyring(unlocked: Bool = true) throws {
        let keyring = try Helper(
            ["gnome-keyring-daemon"] + (unlocked ? ["--unlock"] : ["--start"])
                + ["--components=secrets", "--foreground"],
            environment: environment,
            input: unlocked ? password : ""
        )
        state.withLock { $0.keyring = keyring }
        try run(["gdbus", "wait", "--session", "--timeout", "10", "org.freedesktop.secrets"])
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
    public func lock() throws { try run(["secret-tool", "lock"]) }

    /// Ends the keyring at once, in whatever it does; returns when it is gone.
    public func killKeyring() { state.withLock { $0.keyring.take() }?.kill() }

    /// Ends the bus at once; returns when it is gone.
    public func killBus() { state.withLock { $0.bus.take() }?.kill() }

    /// Stops the keyring where it is: it takes calls and answers none.
    public func stopKeyring() { state.withLock { $0.keyring }?.signal(SIGSTOP) }

    /// Lets a stopped keyring go on.
    public func resumeKeyring() { state.withLock { $0.keyring }?.signal(SIGCONT) }

    deinit {
        killKeyring()
        killBus()
    }
}
