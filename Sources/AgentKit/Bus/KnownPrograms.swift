internal import AgentProtocol
internal import Files
internal import Glibc
internal import Synchronization
package import VaultPolicy

/// The identified programs of processes on the bus.
///
/// Each process is read once, so an upgrade that replaces or removes the file of a connected program does not make it
/// unknown. A process keeps its identity while it has the same start time and runs the very file that was at its path
/// when it was read. That file is held open, so that no other file gets its number, and a process that starts another
/// program is recognised.
package final class KnownPrograms: Sendable {
    /// The largest number of known processes; the oldest entry makes room.
    static let maximum = 256
    /// The number of known processes from which ended ones are dropped.
    private static let few = 32
    /// O_PATH (asm-generic/fcntl.h): the file is held open, but never read.
    private static let held: Int32 = 0o10_000_000

    private struct Known: Sendable {
        let process: ProcessID
        let watch: ProcessWatch
        let requester: Requester
        /// Held open, so that the system gives its number to no other file.
        let file: SecureFile<SystemFailure>
        let identity: FileFacts.Identity
    }

    private struct State: Sendable {
        /// The processes, in the order in which they were first seen.
        var all: [Known] = []
        /// The number of processes at which ended ones are dropped next.
        var limit = few
    }

    private let state = Mutex(State())

    package init() {}

    /// Records the program of a process that was just read.
    func saw(_ requester: Requester, of process: ProcessID, _ watch: ProcessWatch) {
        // A sandbox is identified by other means than its file.
        guard let program = requester.bus?.identity, program.text.hasPrefix("/") else { return }
        let path = "/proc/\(process.pid)/exe"
        guard let running = FileFacts.identity(behind: path) else { return }
        let isKnown = state.withLock { state in
            state.all.contains {
                $0.process == process && $0.requester == requester && $0.identity == running
            }
        }
        // A file that is no longer at its path was known before, or is foreign.
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

    /// Returns the descriptor of a running process, so that it is not opened for each call.
    func watch(of process: ProcessID) -> ProcessWatch? {
        state.withLock { $0.all.first { $0.process == process } }.map(\.watch).flatMap {
            $0.isRunning ? $0 : nil
        }
    }

    /// Returns the requester of a process that still runs its recorded file; nil for any other process.
    func requester(of process: ProcessID) -> Requester? {
        guard let known = state.withLock({ $0.all.first { $0.process == process } }),
            FileFacts.identity(behind: "/proc/\(process.pid)/exe") == known.identity
        else { return nil }
        return known.requester
    }
}

/// The files that count as hsip's own programs: the command line, and the front of the message bus.
package struct OwnPrograms: Sendable {
    private let paths: Set<String>
    private let fronts: Set<String>

    /// Creates a list of exactly these files.
    ///
    /// - Parameters:
    /// - paths: the paths of the command line.
    /// - fronts: the paths of the program that serves the vault on the message bus.
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
