internal import AgentProtocol
internal import CLinux
internal import Glibc
internal import Presentation
internal import Setup
internal import System

/// A running service of the user's systemd: its main process, as systemd names it, gets a lease.
final class LeasedUnit {
    /// The length of the longest unit name in bytes (systemd.unit(5)).
    private static let longestName = 255

    /// The full name, such as deploy.service.
    let name: String
    let process: ProcessID
    private let life: Int32

    /// Asks systemd about a service.
    ///
    /// - Throws: `usage` for a word that is not the name of one service; `unavailable` if systemd does not respond,
    ///   or the service has no main process.
    init(_ word: String, _ environment: Environment) throws(Failure) {
        name = try Self.name(word)
        let control = ServiceControl(environment)
        guard let found = control.show(Self.properties, of: name) else {
            throw Failure(
                .unavailable,
                "systemd of this user does not answer about \(name)",
                hint: "systemctl --user status"
            )
        }
        guard found["LoadState"] != "not-found" else {
            throw Failure(
                .unavailable,
                "\(name): no such service",
                hint: "systemctl --user list-units --type=service"
            )
        }
        let stopped = Failure(
            .unavailable,
            "\(name) does not run, or has no main process",
            hint: "systemctl --user start \(name)"
        )
        guard let pid = found["MainPID"].flatMap({ Int32($0) }), pid > 0 else { throw stopped }
        life = hsip_process_open(pid)
        // Another process may have got the number in between, but the unit still names it as its main process
        // afterwards.
        guard let process = ProcessID(running: pid, descriptor: life),
            control.show(Self.properties, of: name) == found
        else {
            close(life)
            throw stopped
        }
        self.process = process
    }

    deinit { close(life) }

    private static let properties = ["LoadState", "MainPID", "InvocationID"]
    /// The other types of units (systemd.unit(5)), which have no main process.
    private static let otherTypes: Set = [
        "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope",
    ]

    /// Returns the full name of one service; a pattern, an option or a template is refused.
    private static func name(_ word: String) throws(Failure) -> String {
        let type = word.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init)
        let name = word.hasSuffix(".service") ? word : word + ".service"
        guard word.first != "-", !word.isEmpty, name.utf8.count <= longestName, !name.hasSuffix("@.service"),
            !otherTypes.contains(type ?? ""), word.utf8.allSatisfy(isOfName)
        else {
            throw Failure.usage("--unit needs the name of one service", hint: "--unit deploy.service")
        }
        return name
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ":-_.\\@".utf8.contains(byte)
        }
    }

    /// Waits until the process ends, a signal comes, or some seconds have passed.
    ///
    /// - Returns: the signal, and whether the process has ended.
    func wait(_ seconds: UInt64, _ signals: SignalWatch) -> (signal: Int32?, hasEnded: Bool) {
        var requests = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: life, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&requests, 2, Int32(clamping: seconds) * 1_000)
        return (signals.caught, requests[1].revents != 0)
    }
}
