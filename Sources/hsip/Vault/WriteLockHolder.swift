internal import Console
internal import Glibc
internal import Programs
internal import SafeText

/// The process that writes to a vault file at this moment, as the kernel tells it (proc(5), /proc/locks).
///
/// No file of the vault is opened for it: closing one would give back the locks that SQLite holds in this process.
struct WriteLockHolder: Equatable {
    /// The byte of the shared memory that a writer locks (sqlite.org/walformat.html, "The WAL-Index File Locks").
    private static let writeLock = "120"

    let process: Int32
    /// What the process calls itself.
    let program: String
    /// How long it runs already, in seconds.
    let age: Int64

    /// The holder; nil where nobody holds the lock now, or the kernel does not tell.
    init?(of vault: String) {
        var facts = stat()
        guard unsafe lstat(vault + "-shm", &facts) == 0, let locks = Self.read("/proc/locks"),
            let process = Self.process(locking: UInt64(facts.st_ino), in: locks), process != getpid(),
            let line = Self.read("/proc/\(process)/stat")
        else { return nil }
        var now = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        let ticks = Int64(sysconf(Int32(_SC_CLK_TCK)))
        self.init(process: process, line, uptime: Int64(now.tv_sec), ticks: ticks)
    }

    /// Reads a line of /proc/PID/stat: the name in parentheses, which may hold anything, and numbers behind it.
    init?(process: Int32, _ line: String, uptime: Int64, ticks: Int64) {
        guard let open = line.firstIndex(of: "("), let shut = line.lastIndex(of: ")"), open < shut, ticks > 0
        else { return nil }
        let fields = line[line.index(after: shut)...].split(whereSeparator: \.isWhitespace)
        // Field 22, counted from the process's number: ticks from the start of the system to that of the process.
        guard fields.count > 19, let start = Int64(fields[19]) else { return nil }
        self.process = process
        program = String(line[line.index(after: open)..<shut])
        age = max(0, uptime - start / ticks)
    }

    /// The process that has a file's write lock, in the words of /proc/locks:
    /// `1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 120 120`.
    ///
    /// The device is not compared: some file systems tell another one to programs than to the kernel.
    static func process(locking file: UInt64, in locks: String) -> Int32? {
        for line in locks.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 8, words[3] == "WRITE", words[6] == writeLock, words[7] == writeLock,
                words[5].split(separator: ":").last == "\(file)", let process = Int32(words[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }

    /// Who it is, for people.
    func shown(_ display: Display) -> String {
        "\(display.cell(program)) (process \(process), started \(Durations.rough(age)) ago)"
    }

    private static func read(_ path: String) -> String? {
        guard let bytes = try? OwnFile.read(path, limit: 1 << 22) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
