internal import Glibc

extension Behalf {
    /// A program on the bus, whose process began when /proc says; nil for one that has ended.
    package init?(bus: String, process pid: Int32, label: String?) {
        guard pid > 0, let start = Self.start(of: pid) else { return nil }
        self.init(bus: bus, pid: pid, start: start, label: label)
    }

    /// The same where the bus gave a descriptor of the process, too: nil where the number is another process's by now.
    ///
    /// A number that is used again between two looks is found out by it, also where both processes began at the same tick.
    ///
    /// - Parameters:
    ///   - bus: the unique name of its connection.
    ///   - pid: its process.
    ///   - descriptor: a pidfd, which stays the caller's.
    ///   - label: what the security module of the kernel calls it.
    package init?(bus: String, process pid: Int32, descriptor: Int32, label: String?) {
        self.init(bus: bus, process: pid, label: label)
        // In this order: what still runs now is what was read above.
        guard Self.number(of: descriptor) == pid else { return nil }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 0) == 0 else { return nil }
    }

    /// The number of the process that a pidfd is about, from /proc/self/fdinfo (proc(5)); -1 for one that ended.
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

    /// The beginning of a file of the kernel; nothing for one that is not there.
    private static func contents(_ path: String) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe read(file, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }
}
