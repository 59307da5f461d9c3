internal import CLinux
internal import Files
internal import Glibc

/// A process, whichever other one has its number later.
public struct ProcessID: Hashable, Sendable, Codable {
    /// Its number.
    public let pid: Int32
    /// When it began, in ticks since the start of the machine (proc(5), field 22).
    public let start: UInt64

    /// A process, by what another program said of it.
    public init(pid: Int32, start: UInt64) {
        self.pid = pid
        self.start = start
    }
}

extension ProcessID {
    /// The process that has a number now; nil if none has.
    package init?(running pid: Int32) {
        guard let stat = ProcessStat(of: pid) else { return nil }
        self.init(pid: pid, start: stat.start)
    }

    /// The process behind a pidfd, which stays the caller's; nil if it has ended, or has another number.
    ///
    /// A number that is used again between two looks is found out by it, also where both processes began at the same tick.
    package init?(running pid: Int32, descriptor: Int32) {
        self.init(running: pid)
        // In this order: the process that was read above still runs now.
        guard Self.number(of: descriptor) == pid, ProcessWatch.isRunning(descriptor) else { return nil }
    }

    /// Whether it still runs; after its end this holds until its parent has waited for it.
    package var isRunning: Bool { ProcessStat(of: pid)?.start == start }

    /// The number of the process that a pidfd is about, from /proc/self/fdinfo (proc(5)); -1 after its end.
    private static func number(of descriptor: Int32) -> Int32? {
        let bytes = beginning(of: "/proc/self/fdinfo/\(descriptor)")
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: "Pid:".utf8) {
            let number = line.dropFirst(4).drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            return Int32(String(decoding: number, as: UTF8.self))
        }
        return nil
    }

    /// The beginning of a file of the kernel; empty if the file is missing.
    static func beginning(of path: String) -> [UInt8] {
        (try? SecureFile<SystemFailure>(path, O_RDONLY).read(upTo: 1_024)) ?? []
    }
}

/// What the kernel says of a process in /proc/PID/stat (proc(5)).
package struct ProcessStat: Sendable {
    /// Its short name, which may hold anything.
    package let name: String
    /// The parent: the process that started it, or another after its end.
    package let parent: Int32
    package let session: Int32
    /// The device that is its terminal; 0 for none.
    package let terminal: Int32
    /// When it began, in ticks since the start of the machine.
    package let start: UInt64

    /// Reads it; nil if no process has the number.
    package init?(of pid: Int32) {
        guard pid > 0 else { return nil }
        let bytes = ProcessID.beginning(of: "/proc/\(pid)/stat")
        // After the last parenthesis come the fields from the state, the third one, on.
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")),
            let shut = bytes.lastIndex(of: UInt8(ascii: ")")),
            open < shut
        else { return nil }
        let fields = bytes[(shut + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
        func field<N: FixedWidthInteger>(_ number: Int) -> N? {
            fields.count > number - 3 ? N(String(decoding: fields[number - 3], as: UTF8.self)) : nil
        }
        guard let parent: Int32 = field(4), let session: Int32 = field(6), let terminal: Int32 = field(7),
            let start: UInt64 = field(22)
        else { return nil }
        name = String(decoding: bytes[(open + 1)..<shut], as: UTF8.self)
        (self.parent, self.session, self.terminal, self.start) = (parent, session, terminal, start)
    }
}

/// A process behind a descriptor (pidfd_open(2)): a later process with its number is not mistaken for it.
package final class ProcessWatch: Sendable {
    /// Can be read from when the process has ended.
    package let descriptor: Int32

    /// Watches the process that has a number now; nil if none has.
    package init?(_ pid: Int32) {
        descriptor = hsip_process_open(pid)
        guard descriptor >= 0 else { return nil }
    }

    /// Watches a process; nil if it has ended.
    package convenience init?(_ process: ProcessID) {
        self.init(process.pid)
        // Opened first, read second, and checked last: if it still runs, it is the process that was read.
        guard process.isRunning, isRunning else { return nil }
    }

    /// Watches the process behind a descriptor, and closes the descriptor at the end.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    /// Whether it still runs.
    package var isRunning: Bool { Self.isRunning(descriptor) }

    static func isRunning(_ descriptor: Int32) -> Bool {
        // poll(2) passes over a negative one, as if it ran.
        guard descriptor >= 0 else { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) == 0
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
