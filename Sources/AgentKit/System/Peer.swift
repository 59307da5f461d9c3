internal import CLinux
internal import Glibc

/// The process at the other end of a local socket: whose it is, and which program it runs.
///
/// The program is read from the kernel's own link and believed only if the process is still alive afterwards
/// (its number may have been given to another one). A process that hides its program, one that ended, and any
/// process on a kernel without SO_PEERPIDFD runs an unknown program, which no rule allows anything.
package final class Peer: Sendable {
    package let uid: UInt32
    package let pid: Int32
    /// What the process ran when it connected.
    package let program: PeerProgram
    /// The names of the programs from this one up to the one that began it all: `ssh`, `git`, `code`.
    package let chain: [String]
    private let pidfd: Int32

    /// Asks the kernel who connected.
    package init(socket: Int32) throws(SystemError) {
        var facts = hsip_peer()
        guard unsafe hsip_peer_of(socket, &facts) == 0 else {
            throw .failed(call: "getsockopt", code: errno)
        }
        (uid, pid, pidfd) = (facts.uid, facts.pid, facts.pidfd)
        let seen = ProcessFacts.program(of: facts.pid)
        let names = ProcessFacts.chain(from: facts.pid)
        let lives = Self.isAlive(facts.pidfd)
        program = lives ? seen : .unknown
        chain = lives ? names : []
    }

    /// Whether the process still runs.
    package var isAlive: Bool { Self.isAlive(pidfd) }

    /// The program as of now: unknown if the process ended or became another program since it connected, so
    /// that nobody connects first and dresses up afterwards.
    package var programNow: PeerProgram {
        let seen = ProcessFacts.program(of: pid)
        return isAlive && seen == program ? program : .unknown
    }

    /// A pidfd becomes readable when its process ends.
    private static func isAlive(_ pidfd: Int32) -> Bool {
        guard pidfd >= 0 else { return false }
        var request = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) == 0
    }

    deinit { if pidfd >= 0 { close(pidfd) } }
}
