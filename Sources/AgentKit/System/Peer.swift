internal import AgentProtocol
internal import CLinux
internal import Glibc
internal import Synchronization
package import VaultPolicy

/// The process at the other end of a local socket: whose it is, and which program it runs.
///
/// The kernel says which process connected. That it connects as one program, leaves the socket to a child and becomes
/// another one, or sends first and becomes another one before anybody looks, gives it nothing: its program is read
/// when nothing of it waits to be read any more, and everything from then on has to come from this very process.
/// A process that hides its program, one that ended, and one that counts processes in its own way runs an unknown
/// program, which no rule allows anything.
package final class Peer: Sendable {
    private enum Status {
        /// Not looked at so far, or not so that it counts.
        case unseen
        /// `hasSpoken`: since then; what it had said before counts for nothing.
        case known(PeerProgram, hasSpoken: Bool)
        /// Another process wrote in its place: it is not known who speaks.
        case stranger
    }

    package let uid: UInt32
    package let pid: Int32
    /// Nil if it has ended, or no descriptor was left.
    private let watch: ProcessWatch?
    private let status = Mutex(Status.unseen)
    /// Names of programs in a chain at most; what lies above is left out.
    private static let longestChain = 8
    /// The process above it when it was identified, when it started itself, and what is around it once that was read.
    private let above = Mutex((parent: Int32(0), start: UInt64(0), around: Environment?.none))

    /// What a process runs inside.
    private struct Environment {
        /// The names of the programs from this one up.
        var names: [String] = []
        /// Their paths, and the units around them, as rules name them.
        var places: Set<String> = []
        /// What it says that it runs, or the interpreter that started it.
        var script: ScriptClaim?
    }

    /// Asks the kernel who connected.
    package init(socket: Int32) throws(SystemError) {
        var facts = hsip_peer()
        guard unsafe hsip_peer_of(socket, &facts) == 0 else {
            throw .failed(call: "getsockopt", code: errno)
        }
        (uid, pid) = (facts.uid, facts.pid)
        // Before Linux 6.5 by the number: if another process has it by now, it is that one which has to speak.
        watch = facts.pidfd >= 0 ? ProcessWatch(owning: facts.pidfd) : ProcessWatch(facts.pid)
    }

    /// What the process ran when it was identified, for people; unknown before that.
    package var program: PeerProgram {
        status.withLock { if case .known(let program, _) = $0 { program } else { .unknown } }
    }

    /// The same for a verdict: unknown until it has said something since it was identified, all of it by itself.
    package var speaker: PeerProgram {
        status.withLock { if case .known(let program, true) = $0 { program } else { .unknown } }
    }

    /// The process, once it was identified.
    var process: ProcessID? {
        let start = above.withLock { $0.start }
        return start > 0 ? ProcessID(pid: pid, start: start) : nil
    }

    /// The names of the programs from this one up to the one that began it all: `ssh`, `git`, `code`; empty for an
    /// unknown one.
    ///
    /// For people to read, never for a verdict.
    package var chain: [String] { around.names }

    /// The paths of these programs and of all above them, and `unit:NAME` for each unit of systemd around the process;
    /// empty for an unknown program.
    ///
    /// For verdicts that only get stricter by it: a process can leave all of them.
    package var inside: Set<String> { around.places }

    /// The script of an interpreter, or of the interpreter that started this program; nil for any other program.
    package var script: ScriptClaim? { around.script }

    /// Read once: what lies above a process changes when a program between ends, and the first answer is the nearest.
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

    /// Reads what the process runs inside, once: it takes a while, and nothing waits for it.
    package func lookUpwards() { _ = chain }

    /// Takes note of who wrote what was read from the socket; 0 where the kernel does not say.
    ///
    /// - Returns: false when another process than before speaks from here on, which is unknown for good.
    package func hears(_ writer: Int32) -> Bool {
        status.withLock { status in
            switch status {
            case .unseen:
                // What was sent before a socket that was handed over told its writers counts for nothing anyway.
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

    /// Reads which program it is, once, if it has sent nothing but whole messages, which were read from the socket.
    ///
    /// The order is what makes it certain: first the program, then that nothing waits. What comes later was sent by
    /// the program that was read, or by one that it became, and for a program to become ours it takes more than this.
    package func identify(on socket: Int32) {
        guard case .unseen = status.withLock({ $0 }) else { return }
        let program = ProcessFacts.program(of: pid)
        guard program != .unknown, ProcessFacts.isAmongUs(pid) else { return }
        // It may hide from here on. The programs above it can be looked up when it has its answer.
        let facts = ProcessStat(of: pid)
        above.withLock { $0 = (facts?.parent ?? 0, facts?.start ?? 0, nil) }
        guard isAlive, hsip_unread(socket) == 0 else { return }
        status.withLock { status in
            if case .unseen = status { status = .known(program, hasSpoken: false) }
        }
    }

    /// Whether the process still runs.
    package var isAlive: Bool { watch?.isRunning == true }

    /// The program at present: unknown if the process ended or became another program since it was identified.
    package var programNow: PeerProgram { still(program) }

    /// The same for a verdict.
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
    /// It could not be learned. Matches no rule that allows.
    case unknown

    /// The path, where it is known.
    package var path: String? {
        if case .path(let path) = self { path } else { nil }
    }
}
