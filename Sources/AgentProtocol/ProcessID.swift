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
