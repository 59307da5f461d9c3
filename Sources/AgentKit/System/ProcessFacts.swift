internal import AgentProtocol
internal import Files
internal import Glibc

/// What /proc tells of a process.
enum ProcessFacts {
    /// Programs in a chain at most; what lies above is left out.
    private static let deepest = 64
    /// Most ancestors that are read.
    private static let mostAncestors = 1_024
    /// How often ancestors are read again that change meanwhile.
    private static let tries = 8
    /// The kernel's mark for the file of a program that is gone, or was replaced.
    private static let replaced = " (deleted)"
    /// What counts users and processes for this process; it stays in them.
    private static let mine = ["user", "pid"].map { FileFacts.identity(behind: "/proc/self/ns/\($0)") }

    /// The file of the program that a process runs.
    static func program(of pid: Int32) -> PeerProgram {
        guard pid > 0, let path = link("/proc/\(pid)/exe").flatMap(present),
            // In a mount namespace of its own any file may go by this path: it has to be the file that is there for us.
            let running = FileFacts.identity(behind: "/proc/\(pid)/exe"),
            running == FileFacts(at: path)?.identity
        else { return .unknown }
        return .path(path)
    }

    /// Whether a process counts users and processes as we do.
    ///
    /// Elsewhere it may be the master who writes in the name of another process (unix(7), SCM_CREDENTIALS).
    static func isAmongUs(_ pid: Int32) -> Bool {
        zip(["user", "pid"], mine).allSatisfy { kind, mine in
            mine != nil && FileFacts.identity(behind: "/proc/\(pid)/ns/\(kind)") == mine
        }
    }

    /// Looks up which programs run from a process upwards.
    ///
    /// For people to read, and for verdicts that only get stricter by it: a program may hide behind others, and go by any
    /// name.
    ///
    /// - Parameters:
    ///   - parent: the process to begin with.
    ///   - start: when its child started. A process that started later only took over the number of one that
    ///     ended, and the chain ends before it.
    /// - Returns: the name of each, and the path of its file, also where the file was replaced since; nil for what
    ///   another user's processes hide.
    static func chain(from parent: Int32, startedBy start: UInt64) -> [(name: String, path: String?)] {
        var chain: [(name: String, path: String?)] = []
        var (next, start) = (parent, start)
        while next > 1, chain.count < deepest, let facts = ProcessStat(of: next), facts.start <= start {
            let path = link("/proc/\(next)/exe")
            chain.append(
                (
                    path.flatMap(present).map(name) ?? facts.name,
                    path.map { $0.hasSuffix(replaced) ? String($0.dropLast(replaced.count)) : $0 }
                )
            )
            (next, start) = (facts.parent, facts.start)
        }
        return chain
    }

    /// A process and its ancestors, the nearest first; nil if they cannot be known for certain.
    ///
    /// A process whose parent ends moves to another one, and a new process may get the number that is free then. So all are
    /// read twice, and both readings must agree.
    static func ancestry(of process: ProcessID) -> [ProcessID]? {
        for _ in 0..<tries {
            if let found = ancestors(of: process), found == ancestors(of: process) { return found }
        }
        return nil
    }

    private static func ancestors(of process: ProcessID) -> [ProcessID]? {
        guard let facts = ProcessStat(of: process.pid), facts.start == process.start else { return nil }
        var (found, next, start) = ([process], facts.parent, facts.start)
        while next > 1, let facts = ProcessStat(of: next), facts.start <= start {
            guard found.count < mostAncestors else { return nil }
            found.append(ProcessID(pid: next, start: facts.start))
            (next, start) = (facts.parent, facts.start)
        }
        return found
    }

    /// The units of systemd around a process, the outermost first: slices, services and scopes.
    ///
    /// A process of the user can move into another unit of the user: for verdicts that only get stricter by it.
    static func units(of pid: Int32) -> [String] {
        guard let bytes = read("/proc/\(pid)/cgroup", atMost: 16_384) else { return [] }
        return units(in: bytes)
    }

    /// The same from the lines of a cgroup file: those of the one hierarchy, and of systemd's own beside others (cgroups(7)).
    static func units(in bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n")).flatMap { line -> [String] in
            let parts = line.split(
                separator: UInt8(ascii: ":"),
                maxSplits: 2,
                omittingEmptySubsequences: false
            )
            guard parts.count == 3, parts[1].isEmpty || parts[1].elementsEqual("name=systemd".utf8) else {
                return []
            }
            return parts[2].split(separator: UInt8(ascii: "/")).compactMap { part in
                // A name that the kernel could take for a file of its own has an underscore before it.
                let name = part.first == UInt8(ascii: "_") ? part.dropFirst() : part
                return String(validating: name, as: UTF8.self)
            }
        }
    }

    /// Where a process is among the control groups of systemd, the outermost first and by their names as they are; empty where
    /// that is not known.
    static func group(of pid: Int32) -> [String] {
        guard let bytes = read("/proc/\(pid)/cgroup", atMost: 16_384) else { return [] }
        return group(in: bytes)
    }

    /// The same from the lines of a cgroup file: systemd's own hierarchy where there is one beside others, else the one for all.
    static func group(in bytes: [UInt8]) -> [String] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        for beginning in ["name=systemd", ""] {
            for line in lines {
                let parts = line.split(
                    separator: UInt8(ascii: ":"),
                    maxSplits: 2,
                    omittingEmptySubsequences: false
                )
                guard parts.count == 3, parts[1].elementsEqual(beginning.utf8) else { continue }
                let names = parts[2].split(separator: UInt8(ascii: "/"))
                let texts = names.compactMap { String(validating: $0, as: UTF8.self) }
                return texts.count == names.count ? texts : []
            }
        }
        return []
    }

    /// The last part of a program's path.
    static func name(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// The path of a program's file, unless it has the kernel's mark for a file that is gone or was replaced: that is no
    /// longer the program of that path.
    private static func present(_ path: String) -> String? {
        path.hasPrefix("/") && !path.hasSuffix(replaced) ? path : nil
    }

    /// Where a symbolic link of /proc leads; nil if it cannot be read.
    static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink(path, &buffer, buffer.count)
        // A name that fills the buffer was cut.
        guard count > 0, count < buffer.count else { return nil }
        return String(validating: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The beginning of a file; nil for one that cannot be read.
    ///
    /// A file that another program names may be a pipe, which is not waited for.
    static func read(_ path: String, atMost longest: Int = 1_024) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: longest)
        let count = unsafe Glibc.read(file, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
