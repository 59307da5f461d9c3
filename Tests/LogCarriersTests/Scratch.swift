import Glibc
import LogCarriers
import System
import VaultCrypto

/// A private folder that goes with its last holder.
final class Scratch: Sendable {
    let path: String

    /// A folder in memory where `isInMemory`, and there is room: nodes of etcd sync what they write.
    init(isInMemory: Bool = false) throws {
        var facts = statvfs()
        let hasMemory = unsafe statvfs("/dev/shm", &facts) == 0 && facts.f_bavail * facts.f_frsize > 2 << 30
        path =
            "\(isInMemory && hasMemory ? "/dev/shm" : "/tmp")/hsip-log-\(Hex.encode(Entropy.system.bytes(8)))"
        guard unsafe mkdir(path, 0o700) == 0 else { throw Trouble("no folder") }
    }

    func folder(_ name: String) throws -> String {
        let folder = "\(path)/\(name)"
        guard unsafe mkdir(folder, 0o700) == 0 else { throw Trouble("no folder \(name)") }
        return folder
    }

    func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw Trouble("no file \(name)") }
        defer { close(file) }
        try Descriptor(file).write(text)
        return "\(path)/\(name)"
    }

    deinit {
        var rm = ChildProcess(path: "/bin/rm")
        rm.arguments = ["-rf", "--", path]
        rm.seconds = 60
        _ = try? rm.run()
    }
}

struct Trouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Runs a program of the machine to its end.
@discardableResult
func tool(
    _ words: [String],
    _ variables: [String: String] = [:],
    input: String = "",
    mayFail: Bool = false
) throws -> String {
    let environment = Environment(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    guard let name = words.first, let path = ChildProcess.find(name, in: environment) else {
        throw Trouble("\(words.first ?? "") is not installed")
    }
    var process = ChildProcess(path: path)
    process.arguments = Array(words.dropFirst())
    var all = [
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t",
        "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@t",
    ]
    all.merge(variables) { $1 }
    process.environment = all.map { "\($0.key)=\($0.value)" }
    process.input = Array(input.utf8)
    process.seconds = 60
    let end = try process.runKeepingErrors()
    guard end.status == 0 || mayFail else {
        throw Trouble(
            "\(words.joined(separator: " ")): \(end.status) \(String(decoding: end.errors, as: UTF8.self))"
        )
    }
    return String(decoding: end.output, as: UTF8.self)
}

let logID: [UInt8] = Array(0..<16)
let logName = "hsip-000102030405060708090a0b0c0d0e0f"

/// An entry as a test makes it: who, which, and some bytes.
func entry(_ author: Int, _ number: Int, size: Int = 200) -> [UInt8] {
    let head = Array("\(author)/\(number) ".utf8)
    return head + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(0, size - head.count))
}

/// What the other side is, and how several machines reach it.
protocol Place: Sendable {
    /// A carrier of another machine each time.
    func carrier(_ machine: Int) throws -> any LogCarrier
}

struct FolderPlace: Place {
    let scratch: Scratch
    let root: String

    init() throws {
        scratch = try Scratch()
        root = try scratch.folder("stick")
    }

    func carrier(_ machine: Int) throws -> any LogCarrier {
        try FolderCarrier(try CarrierAddress(.folder, root), logID: logID)
    }
}

/// A bare repository on this disk.
struct GitPlace: Place {
    let scratch: Scratch
    let remote: String
    var address: String { "file://\(remote)" }
    let environment: Environment

    init() throws {
        scratch = try Scratch()
        remote = "\(scratch.path)/remote.git"
        environment = Environment(["PATH": "/usr/bin:/bin", "HOME": scratch.path])
        try tool(["git", "init", "--bare", "--quiet", remote])
    }

    func carrier(_ machine: Int) throws -> any LogCarrier { try git(machine) }

    func git(
        _ machine: Int,
        address: String? = nil,
        variables: [String: String] = [:],
        largestFile: Int = CarrierLimits.helperFile
    ) throws -> GitCarrier {
        try GitCarrier(
            try CarrierAddress(.git, address ?? self.address),
            logID: logID,
            mirror: "\(scratch.path)/mirror-\(machine)",
            runner: HelperRunner(
                environment: Environment(
                    ["PATH": "/usr/bin:/bin", "HOME": scratch.path].merging(variables) { $1 }
                )
            ),
            largestFile: largestFile
        )
    }

    /// Git on the remote itself.
    @discardableResult
    func onRemote(_ words: [String], input: String = "", mayFail: Bool = false) throws -> String {
        try tool(["git", "--git-dir=\(remote)"] + words, input: input, mayFail: mayFail)
    }
}

/// A log in memory whose calls can go wrong in the ways that a network knows.
final class FakeCarrier: LogCarrier {
    enum Fault { case lostRequest, lostAnswer }

    private(set) var entries: [UInt64: [UInt8]] = [:]
    var faults: [Fault] = []

    func range() throws(CarrierError) -> LogRange {
        guard let oldest = entries.keys.min(), let newest = entries.keys.max() else { return .empty }
        return LogRange(oldest: oldest, newest: newest)
    }

    func read(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage {
        let range = try range()
        guard range.contains(place) else { return LogPage(range) }
        var page: [[UInt8]] = []
        var room = bytes
        for next in place...range.newest where page.count < CarrierLimits.entriesRead {
            guard let entry = entries[next], page.isEmpty || entry.count <= room else { break }
            room -= entry.count
            page.append(entry)
        }
        return LogPage(range, page)
    }

    func create(_ new: [[UInt8]], at place: UInt64) throws(CarrierError) -> CreateOutcome {
        guard !new.isEmpty, new.count <= CarrierLimits.entriesPut,
            new.allSatisfy({ !$0.isEmpty && $0.count <= CarrierLimits.entry }),
            new.reduce(0, { $0 + $1.count }) <= CarrierLimits.bytesPut
        else { throw .tooLarge }
        let range = try range()
        if range.newest >= place { return .taken }
        guard range.newest + 1 == place else { throw .gap }
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        if fault == .lostRequest { return .unknown }
        for (offset, entry) in new.enumerated() { entries[place + UInt64(offset)] = entry }
        return fault == .lostAnswer ? .unknown : .created
    }

    func trim(below place: UInt64) throws(CarrierError) -> TrimOutcome {
        guard entries[place] != nil else { throw .gap }
        entries = entries.filter { $0.key >= place }
        return .done
    }
}
