internal import CLinux
internal import Files
internal import Glibc

/// A process, distinct from later processes with its number.
public struct ProcessID: Hashable, Sendable, Codable {
    /// The process's number.
    public let pid: Int32
    /// The start time of the process, in ticks since the start of the machine (proc(5), field 22).
    public let start: UInt64

    /// Makes a process from values that another program reported.
    public init(pid: Int32, start: UInt64) {
        self.pid = pid
        self.start = start
    }
}

extension ProcessID {
    /// Finds the process that has a number now; nil if it does not exist.
    package init?(running pid: Int32) {
        guard let stat = ProcessStat(of: pid) else { return nil }
        self.init(pid: pid, start: stat.start)
    }

    /// Finds the process of a pidfd, which the caller still owns; nil if the process has ended, or has another number.
    ///
    /// The pidfd also detects a number that was reused between two checks, even if both processes began at the same tick.
    package init?(running pid: Int32, descriptor: Int32) {
        self.init(running: pid)
        // In this order: the process that was read above still runs now.
        guard Self.number(of: descriptor) == pid, ProcessWatch.isRunning(descriptor) else { return nil }
    }

    /// True if the process still runs, or has ended and its parent has not waited for it yet.
    package var isRunning: Bool { ProcessStat(of: pid)?.start == start }

    /// The number of a pidfd's process, from /proc/self/fdinfo (proc(5)); -1 after the end of the process.
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

/// The facts about a process in /proc/PID/stat (proc(5)).
package struct ProcessStat: Sendable {
    /// The short name, which may contain any bytes.
    package let name: String
    /// The parent: the process that started it, or another after its end.
    package let parent: Int32
    package let session: Int32
    /// The device of the controlling terminal; 0 without a terminal.
    package let terminal: Int32
    /// The start time of the process, in ticks since the start of the machine.
    package let start: UInt64

    /// Reads the facts; nil if no process has the number.
    package init?(of pid: Int32) {
        guard pid > 0 else { return nil }
        let bytes = ProcessID.beginning(of: "/proc/\(pid)/stat")
        // The fields after the last parenthesis begin with the state, field 3.
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

/// A process held by a descriptor (pidfd_open(2)), so that a later process with its number is not mistaken for it.
package final class ProcessWatch: Sendable {
    /// The pidfd, which poll(2) reports as readable after the end of the process.
    package let descriptor: Int32

    /// Watches the process that has a number now; nil if it does not exist.
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

    /// True if the process still runs.
    package var isRunning: Bool { Self.isRunning(descriptor) }

    static func isRunning(_ descriptor: Int32) -> Bool {
        // poll(2) ignores a negative descriptor, as if the process ran.
        guard descriptor >= 0 else { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) == 0
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
