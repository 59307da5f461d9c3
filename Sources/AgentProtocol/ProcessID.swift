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
        guard pid > 0, let start = Self.start(of: pid) else { return nil }
        self.init(pid: pid, start: start)
    }

    /// The process behind a pidfd, which stays the caller's; nil if it has ended, or has another number.
    ///
    /// A number that is used again between two looks is found out by it, also where both processes began at the same tick.
    package init?(running pid: Int32, descriptor: Int32) {
        self.init(running: pid)
        // In this order: the process that was read above still runs now.
        guard Self.number(of: descriptor) == pid else { return nil }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 0) == 0 else { return nil }
    }

    /// Whether it still runs; after its end this holds until its parent has waited for it.
    package var isRunning: Bool { Self.start(of: pid) == start }

    /// The number of the process that a pidfd is about, from /proc/self/fdinfo (proc(5)); -1 after its end.
    private static func number(of descriptor: Int32) -> Int32? {
        let bytes = contents("/proc/self/fdinfo/\(descriptor)")
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: "Pid:".utf8) {
            let number = line.dropFirst(4).drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            return Int32(String(decoding: number, as: UTF8.self))
        }
        return nil
    }

    /// The 22nd field of /proc/PID/stat (proc(5)).
    private static func start(of pid: Int32) -> UInt64? {
        let bytes = contents("/proc/\(pid)/stat")
        // The name of the process may hold anything; after the last parenthesis come only numbers.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
    }

    /// The beginning of a file of the kernel; empty if the file is missing.
    private static func contents(_ path: String) -> [UInt8] {
        (try? SecureFile<SystemFailure>(path, O_RDONLY).read(upTo: 1_024)) ?? []
    }
}
