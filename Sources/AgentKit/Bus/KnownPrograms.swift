internal import AgentProtocol
internal import Files
internal import Glibc
internal import Synchronization
package import VaultPolicy

/// Which programs processes on the bus are: each is read once, and an upgrade that replaces or removes the file of a program
/// that is connected makes no stranger of it.
///
/// A process keeps its name as long as it began when it did and runs the very file that lay at its path when it was seen. That
/// file is held open: so no other one gets its number, and a process that starts another program is told apart from it.
package final class KnownPrograms: Sendable {
    /// Processes that are known; the one that was seen first makes room.
    static let maximum = 256
    /// At this many known processes, hsip drops those that ended.
    private static let few = 32
    /// O_PATH (asm-generic/fcntl.h): the file is held, and never read.
    private static let held: Int32 = 0o10_000_000

    private struct Known: Sendable {
        let process: ProcessID
        let watch: ProcessWatch
        let requester: Requester
        /// Held open: so the system gives its number to no other file.
        let file: SecureFile<SystemFailure>
        let identity: FileFacts.Identity
    }

    private struct State: Sendable {
        /// In the order in which they were seen.
        var all: [Known] = []
        /// The number of processes at which ended ones are dropped.
        var limit = few
    }

    private let state = Mutex(State())

    package init() {}

    /// Remembers a process that was just seen to run a program.
    func saw(_ requester: Requester, of process: ProcessID, _ watch: ProcessWatch) {
        // A sandbox says who it is by other means than its file.
        guard let program = requester.bus?.identity, program.text.hasPrefix("/") else { return }
        let path = "/proc/\(process.pid)/exe"
        guard let running = FileFacts.identity(behind: path) else { return }
        let isKnown = state.withLock { state in
            state.all.contains {
                $0.process == process && $0.requester == requester && $0.identity == running
            }
        }
        // What is no longer at its path was known before, or is not from here.
        guard !isKnown,
            let file = try? SecureFile<SystemFailure>(path, Self.held, followsLinks: true),
            let identity = try? file.facts().identity, identity == FileFacts(at: program.text)?.identity
        else { return }
        state.withLock { state in
            state.all.removeAll { $0.process == process }
            if state.all.count >= state.limit {
                state.all.removeAll { !$0.watch.isRunning }
                state.limit = min(max(2 * state.all.count, Self.few), Self.maximum)
            }
            if state.all.count >= Self.maximum { state.all.removeFirst() }
            state.all.append(
                Known(process: process, watch: watch, requester: requester, file: file, identity: identity)
            )
        }
    }

    /// The descriptor of a process that still runs, so that it is not opened for each call.
    func watch(of process: ProcessID) -> ProcessWatch? {
        state.withLock { $0.all.first { $0.process == process } }.map(\.watch).flatMap {
            $0.isRunning ? $0 : nil
        }
    }

    /// What was read of a process that still runs the file by which it was known; nil for any other one.
    func requester(of process: ProcessID) -> Requester? {
        guard let known = state.withLock({ $0.all.first { $0.process == process } }),
            FileFacts.identity(behind: "/proc/\(process.pid)/exe") == known.identity
        else { return nil }
        return known.requester
    }
}

/// Which programs count as our own, by the paths of their files: the command line, and the front of the message bus.
package struct OwnPrograms: Sendable {
    private let paths: Set<String>
    private let fronts: Set<String>

    /// Exactly these.
    ///
    /// - Parameters:
    ///   - paths: of the command line.
    ///   - fronts: of the program that serves the vault on the message bus.
    package init(_ paths: Set<String>, fronts: Set<String> = []) {
        self.paths = paths
        self.fronts = fronts
    }

    /// The `hsip` installed with the program that runs this: beside it, or in the folder of commands where the
    /// program itself is in one of those that people do not call.
    package static func beside() -> OwnPrograms {
        guard let path = ProcessFacts.program(of: getpid()).path, let slash = path.lastIndex(of: "/") else {
            return OwnPrograms([])
        }
        let folder = String(path[..<slash])
        var paths: Set<String> = [folder + "/hsip"]
        if folder.hasSuffix("/libexec") { paths.insert(folder.dropLast("libexec".count) + "bin/hsip") }
        return OwnPrograms(paths, fronts: [folder + "/hsip-secrets"])
    }

    /// Whether a program is the front, which speaks for programs on the message bus, and for nothing else.
    package func isFront(_ program: PeerProgram) -> Bool { program.path.map(fronts.contains) ?? false }

    /// The program as the policy sees it.
    package func program(_ program: PeerProgram) -> Program {
        guard let path = program.path else { return .unknown }
        return paths.contains(path) ? .own(path: path) : .other(path: path)
    }
}
