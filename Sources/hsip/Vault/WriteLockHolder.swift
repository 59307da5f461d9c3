internal import Files
internal import Glibc
internal import Presentation
internal import SecretServiceStore
internal import System
internal import Text
internal import VaultLifecycle

/// The process that holds a vault at this moment, as the kernel tells it (proc(5), /proc/locks).
///
/// No file of the vault is opened for it: closing one would give back the locks that SQLite holds in this process.
struct WriteLockHolder: Equatable {
    /// What a program locks to keep others from a vault.
    enum Place {
        /// A byte of the shared memory of a vault file (sqlite.org/walformat.html, "The WAL-Index File Locks").
        case sharedMemory
        /// The whole lock file of a vault in the keyring.
        case lockFile

        /// The kind of lock, and from where to where it goes.
        fileprivate var words: (kind: String, from: String, to: String) {
            switch self {
            case .sharedMemory: ("POSIX", "120", "120")
            case .lockFile: ("FLOCK", "0", "EOF")
            }
        }
    }

    let process: Int32
    /// What the process calls itself.
    let program: String
    /// How long it runs already, in seconds.
    let age: Int64

    /// The holder of a vault; nil where no process holds its lock now, or the kernel does not tell.
    init?(at locator: VaultLocator) {
        if let record = try? locator.config.record(of: locator.place.key), record.backend == .secretService {
            self.init(of: locator.keyringPaths.lock(record.id), .lockFile)
        } else {
            self.init(of: locator.place.file + "-shm", .sharedMemory)
        }
    }

    private init?(of path: String, _ place: Place) {
        guard let file = FileFacts(at: path), let locks = Self.read("/proc/locks"),
            let process = Self.process(locking: file.identity.number, by: place, in: locks),
            process != getpid(), let line = Self.read("/proc/\(process)/stat")
        else { return nil }
        var now = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        let ticks = Int64(sysconf(Int32(_SC_CLK_TCK)))
        self.init(process: process, line, uptime: Int64(now.tv_sec), ticks: ticks)
    }

    /// Reads a line of /proc/PID/stat: the name in parentheses, which may hold anything, and numbers after it.
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

    /// The process that has a file's lock, in the words of /proc/locks:
    /// `1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 120 120`; a writer before readers, who keep writers waiting, too.
    ///
    /// The device is not compared: some file systems tell another one to programs than to the kernel.
    static func process(locking file: UInt64, by place: Place, in locks: String) -> Int32? {
        let (kind, from, to) = place.words
        var reader: Int32?
        for line in locks.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 8, words[1] == kind, words[6] == from, words[7] == to,
                words[5].split(separator: ":").last == "\(file)", let process = Int32(words[4]), process > 0
            else { continue }
            if words[3] == "WRITE" { return process }
            reader = process
        }
        return reader
    }

    /// Who it is, for people.
    func shown(_ display: Display) -> String {
        "\(display.cell(program)) (process \(process), started \(Durations.rough(age)) ago)"
    }

    private static func read(_ path: String) -> String? {
        guard let bytes = try? OwnFile.readKept(path, limit: 1 << 22) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
