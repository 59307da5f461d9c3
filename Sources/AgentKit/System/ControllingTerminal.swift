internal import AgentProtocol
internal import Files
internal import Glibc

/// The terminal that a process sits at, as the kernel knows it: no word of the process's own is believed.
///
/// It is there for as long as the session that it belongs to: when the program that the session began with has
/// ended, another login may have got a terminal of the same name.
package final class ControllingTerminal: Sendable {
    /// The device: `/dev/pts/3`.
    package let path: String
    private let device: UInt64
    private let leader: Int32
    /// Of the session's first process: readable when that has ended (pidfd_open(2)).
    private let watch: ProcessWatch

    /// The terminal of a process; nil where it has none, or one of another user or of another container.
    package init?(of pid: Int32) {
        guard let (session, device) = Self.terminal(of: pid), session > 0,
            let path = Self.path(of: device), Self.isOurs(path, device)
        else { return nil }
        // The same number is another terminal where other file systems are mounted.
        let mounts = FileFacts.identity(behind: "/proc/\(session)/ns/mnt")
        guard mounts == nil || mounts == FileFacts.identity(behind: "/proc/self/ns/mnt") else {
            return nil
        }
        guard let watch = ProcessWatch(session) else { return nil }
        (self.path, self.device, leader, self.watch) = (path, device, session, watch)
        guard isAlive else { return nil }
    }

    /// Whether the session still sits there, and the device is still ours.
    package var isAlive: Bool {
        watch.isRunning && Self.terminal(of: leader)?.device == device && Self.isOurs(path, device)
    }

    /// The session of a process, and the number of the device that is its terminal; nil where it has none.
    private static func terminal(of pid: Int32) -> (session: Int32, device: UInt64)? {
        guard let stat = ProcessStat(of: pid), stat.terminal != 0 else { return nil }
        return (stat.session, UInt64(UInt32(bitPattern: stat.terminal)))
    }

    /// The process that started the session's first one, and the one that started that.
    var starters: [Int32] {
        guard let parent = ProcessStat(of: leader)?.parent, parent > 1 else { return [] }
        guard let next = ProcessStat(of: parent)?.parent, next > 1 else { return [parent] }
        return [parent, next]
    }

    /// Opens it without becoming its session: for who puts it back in order; nil when it is gone.
    func open() -> Int32? {
        let file = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, Self.isOurs(facts, device) else {
            close(file)
            return nil
        }
        return file
    }

    private static func isOurs(_ path: String, _ device: UInt64) -> Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 && isOurs(facts, device)
    }

    private static func isOurs(_ facts: stat, _ device: UInt64) -> Bool {
        facts.st_mode & S_IFMT == S_IFCHR && UInt64(facts.st_rdev) == device && facts.st_uid == geteuid()
    }

    /// Where the device of a number lies (Linux's Documentation/admin-guide/devices.txt); nil for one that no one
    /// could sit at.
    static func path(of device: UInt64) -> String? {
        let major = device >> 8 & 0xFFF
        let minor = device & 0xFF | device >> 12 & 0xFFF00
        switch major {
        case 136: return "/dev/pts/\(minor)"
        case 4: return minor < 64 ? "/dev/tty\(minor)" : "/dev/ttyS\(minor - 64)"
        case 204: return minor >= 64 ? "/dev/ttyAMA\(minor - 64)" : nil
        case 229: return "/dev/hvc\(minor)"
        default: return nil
        }
    }
}
