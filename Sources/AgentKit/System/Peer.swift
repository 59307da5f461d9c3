internal import AgentProtocol
internal import CLinux
internal import Glibc
internal import Synchronization
package import VaultPolicy

/// The process at the other end of a local socket: its user, and the program that it runs.
///
/// The kernel says which process connected. A process gains nothing if it leaves the socket to a child, or sends first,
/// and then becomes another program. Its program is read when none of its bytes wait in the socket, and every later
/// byte must come from this process. The program is unknown if the process hides it, has ended, or has a PID or user
/// namespace of its own. No rule allows an unknown program anything.
package final class Peer: Sendable {
    private enum Status {
        /// The program was not identified so far.
        case unseen
        /// The program was identified. `hasSpoken`: the process has written since; what it wrote before does not count.
        case known(PeerProgram, hasSpoken: Bool)
        /// Another process wrote to the socket, so the writer is unknown.
        case stranger
    }

    package let uid: UInt32
    package let pid: Int32
    /// Nil if the process has ended, or this process had no free descriptor.
    private let watch: ProcessWatch?
    private let status = Mutex(Status.unseen)
    /// The most names in a chain; programs further up are left out.
    private static let longestChain = 8
    /// The parent and the start time of the process when it was identified, and its environment once that was read.
    private let above = Mutex((parent: Int32(0), start: UInt64(0), around: Environment?.none))

    /// What a process runs inside.
    private struct Environment {
        /// The names of the programs, from this program up.
        var names: [String] = []
        /// Their paths, and the systemd units around the process, as rules name them.
        var places: Set<String> = []
        /// The script that the program, or the interpreter that started it, claims to run.
        var script: ScriptClaim?
    }

    /// Asks the kernel who connected.
    package init(socket: Int32) throws(SystemError) {
        var facts = hsip_peer()
        guard unsafe hsip_peer_of(socket, &facts) == 0 else {
            throw .failed(call: "getsockopt", code: errno)
        }
        (uid, pid) = (facts.uid, facts.pid)
        // Before Linux 6.5 the process is watched by its number. If another process has that number by now, only that
        // process can speak.
        watch = facts.pidfd >= 0 ? ProcessWatch(owning: facts.pidfd) : ProcessWatch(facts.pid)
    }

    /// The program that the process ran when it was identified, for people to read; unknown before that.
    package var program: PeerProgram {
        status.withLock { if case .known(let program, _) = $0 { program } else { .unknown } }
    }

    /// The program for a verdict: unknown until the process has written since it was identified, and if another
    /// process wrote too.
    package var speaker: PeerProgram {
        status.withLock { if case .known(let program, true) = $0 { program } else { .unknown } }
    }

    /// The number and start time of the process, once it was identified.
    var process: ProcessID? {
        let start = above.withLock { $0.start }
        return start > 0 ? ProcessID(pid: pid, start: start) : nil
    }

    /// The names of the programs from this program up to its first ancestor: `ssh`, `git`, `code`.
    ///
    /// The list is empty for an unknown program. It is for people to read, never for a verdict.
    package var chain: [String] { around.names }

    /// The paths of the program and of all programs above it, and `unit:NAME` for each systemd unit around the process.
    ///
    /// The set is empty for an unknown program. It may only make a verdict stricter, as a process can leave all of these.
    package var inside: Set<String> { around.places }

    /// The script of an interpreter, or of the interpreter that started this program; nil for any other program.
    package var script: ScriptClaim? { around.script }

    /// Read once: the ancestors change when a program between them ends, so the first reading is the most accurate.
    private var around: Environment {
        guard case .path(let path) = program else { return Environment() }
        return above.withLock { above in
            if let around = above.around { return around }
            let chain = ProcessFacts.chain(from: above.parent, startedBy: above.start)
            let around = Environment(
                names: ([ProcessFacts.name(path)] + chain.map(\.name)).prefix(Self.longestChain).map(\.self),
                places: Set(
                    [path] + chain.compactMap(\.path)
                        + ProcessFacts.units(of: pid).map { Rule.unitMark + $0 }
                ),
                script: ScriptReader.claim(of: pid, path)
            )
            above.around = around
            return around
        }
    }

    /// Reads what the process runs inside, once and ahead of time, as reading needs a while.
    package func lookUpwards() { _ = chain }

    /// Notes which process wrote the bytes that were read from the socket.
    ///
    /// - Parameter writer: the number of that process; 0 if the kernel does not say.
    /// - Returns: false if another process writes after this process was identified. The program then stays unknown.
    package func hears(_ writer: Int32) -> Bool {
        status.withLock { status in
            switch status {
            case .unseen:
                // A socket that was handed over may not name the writer of earlier bytes; those bytes do not count anyway.
                if writer != pid, writer != 0 { status = .stranger }
                return true
            case .known(let program, let hasSpoken):
                guard writer == pid else {
                    status = .stranger
                    return false
                }
                if !hasSpoken { status = .known(program, hasSpoken: true) }
                return true
            case .stranger: return true
            }
        }
    }

    /// Reads the program of the process, once, if no bytes of the process wait in the socket.
    ///
    /// The order makes the answer certain: first the program is read, then whether bytes wait. Later bytes were sent by
    /// that program or by a program that it became. To become one of ours, a program needs more than this.
    package func identify(on socket: Int32) {
        guard case .unseen = status.withLock({ $0 }) else { return }
        let program = ProcessFacts.program(of: pid)
        guard program != .unknown, ProcessFacts.isAmongUs(pid) else { return }
        // The process may hide from here on. The programs above it can be looked up after it got its answer.
        let facts = ProcessStat(of: pid)
        above.withLock { $0 = (facts?.parent ?? 0, facts?.start ?? 0, nil) }
        guard isAlive, hsip_unread(socket) == 0 else { return }
        status.withLock { status in
            if case .unseen = status { status = .known(program, hasSpoken: false) }
        }
    }

    /// Whether the process still runs.
    package var isAlive: Bool { watch?.isRunning == true }

    /// The present program, for people to read: unknown if the process ended or became another program.
    package var programNow: PeerProgram { still(program) }

    /// The present program, for a verdict: unknown if the process ended or became another program.
    package var speakerNow: PeerProgram { still(speaker) }

    private func still(_ known: PeerProgram) -> PeerProgram {
        guard known != .unknown else { return .unknown }
        return ProcessFacts.program(of: pid) == known && isAlive ? known : .unknown
    }
}

/// The program that a process runs, as far as the kernel vouches for it.
package enum PeerProgram: Equatable, Hashable, Sendable {
    /// The absolute path of the program's file.
    case path(String)
    /// The program could not be found out. No rule that allows matches it.
    case unknown

    /// The path; nil if the program is unknown.
    package var path: String? {
        if case .path(let path) = self { path } else { nil }
    }
}
