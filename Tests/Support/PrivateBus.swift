/// A message bus of a test's own, as a session has one; it ends with its last holder.
public final class PrivateBus: Sendable {
    /// Where it listens.
    public let address: String
    private let daemon: Spawned

    /// Starts it.
    public init() throws {
        daemon = try Spawned(
            "dbus-daemon",
            ["--session", "--nofork", "--nopidfile", "--print-address=1", "--address=unix:tmpdir=/tmp"],
            environment: [:],
            keepsErrors: false
        )
        address = try daemon.readLine()
    }
}
