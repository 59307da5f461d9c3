internal import AgentProtocol
internal import Files
internal import Glibc

/// Facts about a process, read from /proc.
enum ProcessFacts {
    /// The most programs in a chain; programs further up are left out.
    private static let deepest = 64
    /// The most ancestors that are read.
    private static let mostAncestors = 1_024
    /// How often ancestors are read if they change meanwhile.
    private static let tries = 8
    /// The kernel's mark for a program's file that was deleted or replaced.
    private static let replaced = " (deleted)"
    /// The user and PID namespaces of this process, which it never leaves.
    private static let mine = ["user", "pid"].map { FileFacts.identity(behind: "/proc/self/ns/\($0)") }

    /// The path of the program that a process runs; unknown if the file at that path is not the one that runs.
    static func program(of pid: Int32) -> PeerProgram {
        guard pid > 0, let path = link("/proc/\(pid)/exe").flatMap(present),
            // A process in its own mount namespace may have any file at this path: it must be the file that we see there.
            let running = FileFacts.identity(behind: "/proc/\(pid)/exe"),
            running == FileFacts(at: path)?.identity
        else { return .unknown }
        return .path(path)
    }

    /// Whether a process is in our user and PID namespaces.
    ///
    /// In other namespaces it may be privileged to write in the name of another process (unix(7), SCM_CREDENTIALS).
    static func isAmongUs(_ pid: Int32) -> Bool {
        zip(["user", "pid"], mine).allSatisfy { kind, mine in
            mine != nil && FileFacts.identity(behind: "/proc/\(pid)/ns/\(kind)") == mine
        }
    }

    /// Looks up the programs that a process and its ancestors run.
    ///
    /// The answer is for people to read, and may only make a verdict stricter: a program may hide behind others and use
    /// any name.
    ///
    /// - Parameters:
    ///   - parent: the process to begin with.
    ///   - start: when its child started. A process that started later only has the number of an ended process, and the
    ///     chain ends before it.
    /// - Returns: the name of each program and the path of its file, even if that file was replaced since. The path is
    ///   nil if a process of another user hides it.
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
    /// A process whose parent ends gets another parent, and a new process may get the free number. So all ancestors are
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

    /// The systemd units around a process, the outermost first: slices, services and scopes.
    ///
    /// They may only make a verdict stricter, as a process of the user can move into another unit of the user.
    static func units(of pid: Int32) -> [String] {
        guard let bytes = read("/proc/\(pid)/cgroup", atMost: 16_384) else { return [] }
        return units(in: bytes)
    }

    /// The units in a cgroup file: from the line of the unified hierarchy, and from that of systemd's own (cgroups(7)).
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
                // systemd puts an underscore before a name that could be mistaken for a file of the kernel.
                let name = part.first == UInt8(ascii: "_") ? part.dropFirst() : part
                return String(validating: name, as: UTF8.self)
            }
        }
    }

    /// The control groups of systemd around a process, the outermost first, with their names unchanged; empty if unknown.
    static func group(of pid: Int32) -> [String] {
        guard let bytes = read("/proc/\(pid)/cgroup", atMost: 16_384) else { return [] }
        return group(in: bytes)
    }

    /// The control groups in a cgroup file: of systemd's own hierarchy if it has one, else of the unified hierarchy.
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

    /// The path of a program's file; nil if the kernel marks the file as deleted or replaced.
    private static func present(_ path: String) -> String? {
        path.hasPrefix("/") && !path.hasSuffix(replaced) ? path : nil
    }

    /// The target of a symbolic link in /proc; nil if it cannot be read.
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
