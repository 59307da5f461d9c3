internal import AgentProtocol
internal import CLinux
internal import Glibc
internal import Presentation
internal import Setup
internal import System

/// A service of the user's systemd that runs: its main process, as systemd names it, gets a lease.
final class LeasedUnit {
    /// Most bytes in a name (systemd.unit(5)).
    private static let longestName = 255

    /// Its whole name, such as deploy.service.
    let name: String
    let process: ProcessID
    private let life: Int32

    /// Asks systemd.
    ///
    /// - Throws: wrong words for what is not the name of one unit; `unavailable` if systemd does not answer, or the unit has no
    ///   main process.
    init(_ word: String, _ environment: Environment) throws(Failure) {
        guard Self.isName(word) else {
            throw Failure.usage("--unit needs the name of one service", hint: "--unit deploy.service")
        }
        let control = ServiceControl(environment)
        guard let found = control.show(Self.properties, of: word) else {
            throw Failure(
                .unavailable,
                "systemd of this user does not answer",
                hint: "systemctl --user status"
            )
        }
        name = found["Id"] ?? word
        let stopped = Failure(
            .unavailable,
            "\(name) does not run, or has no main process",
            hint: "systemctl --user start \(name)"
        )
        guard let pid = found["MainPID"].flatMap({ Int32($0) }), pid > 0 else { throw stopped }
        life = hsip_process_open(pid)
        // Another process may have had the number by then, but the unit still has it as its main process after that.
        guard let process = ProcessID(running: pid, descriptor: life),
            control.show(Self.properties, of: word) == found
        else {
            close(life)
            throw stopped
        }
        self.process = process
    }

    deinit { close(life) }

    private static let properties = ["Id", "MainPID", "InvocationID"]

    /// One name, and no pattern or option.
    private static func isName(_ word: String) -> Bool {
        (1...longestName).contains(word.utf8.count) && word.first != "-"
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ":-_.\\@".utf8.contains(byte)
                }
            }
    }

    /// Waits until the process has ended, the time is over, or a signal comes.
    ///
    /// - Returns: the signal, and whether the process has ended.
    func wait(_ seconds: UInt64, _ signals: SignalWatch) -> (signal: Int32?, hasEnded: Bool) {
        let end = ContinuousClock.now + .seconds(Int64(clamping: seconds))
        while true {
            if let signal = signals.caught { return (signal, false) }
            guard process.isRunning else { return (nil, true) }
            guard ContinuousClock.now < end else { return (nil, false) }
            var requests = [
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: life, events: Int16(POLLIN), revents: 0),
            ]
            // The time goes on while the machine sleeps, and poll(2) does not see that.
            _ = unsafe poll(&requests, 2, 1_000)
        }
    }
}
