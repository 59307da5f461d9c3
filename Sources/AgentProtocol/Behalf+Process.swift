internal import Glibc

extension Behalf {
    /// A program on the bus, whose process began when /proc says; nil for one that has ended.
    package init?(bus: String, process pid: Int32, label: String?) {
        guard pid > 0, let start = Self.start(of: pid) else { return nil }
        self.init(bus: bus, pid: pid, start: start, label: label)
    }

    /// The 22nd field of /proc/PID/stat (proc(5)).
    private static func start(of pid: Int32) -> UInt64? {
        let file = unsafe open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe read(file, &buffer, buffer.count)
        // The name of the process may hold anything; after the last parenthesis come only numbers.
        guard count > 0, let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = buffer[(end + 1)..<count].split(separator: UInt8(ascii: " "))
        return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
    }
}
