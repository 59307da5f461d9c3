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
