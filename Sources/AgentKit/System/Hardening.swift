internal import CLinux
internal import Glibc

/// The rights that the agent gave up at its start, and what the system did not let it give up.
///
/// Programs that the agent starts to ask a question inherit most of it. One price is known: a display that sshd
/// forwards is reached by TCP, which is refused, so that no question appears there. Landlock is left out: inside of it
/// the agent could not see which programs its clients are.
package struct Hardening: Sendable, Equatable {
    /// One measure, in the words of `agent status`.
    package enum Measure: String, Sendable, CaseIterable {
        /// Neither the same user's debuggers nor /proc show the process.
        case notDumpable = "not dumpable"
        /// A crash leaves no image of the memory.
        case noCore = "no core"
        /// Nothing started by the agent gains rights.
        case noNewPrivileges = "no new privileges"
        /// The kernel refuses network sockets, looking into processes, mounts, and other calls that are never needed.
        case callFilter = "seccomp"
        /// Secrets stay out of swap.
        case lockedMemory = "locked memory"
    }

    /// What is in force.
    package let active: [Measure]
    /// What the system refused.
    package let missing: [Measure]
    /// Bytes that may be locked; nil for no limit.
    package let lockedMemoryLimit: Int?

    /// Descriptors with which all clients that may come at a time find room.
    package static let enoughDescriptors: UInt64 = 4_096

    /// Bytes of locked memory with which a vault of ordinary size works without a gap.
    package static let enoughLockedMemory = 1 << 20

    /// What a person who starts the agent should know; nil when all is well.
    package var warning: String? {
        guard let limit = lockedMemoryLimit, limit < Self.enoughLockedMemory else { return nil }
        return limit == 0
            ? "hsip can lock no memory: the system may write secrets to swap (raise the limit: ulimit -l)"
            : "hsip can lock only \(limit >> 10) KiB of memory: the system may write more secrets to swap"
    }

    /// Gives up what is never needed.
    ///
    /// For a program of its own, before it starts its second thread.
    ///
    /// - Parameter kept: how many descriptors were handed over, from number 3 on; those above are closed.
    /// - Returns: what is in force now, and what the system refused.
    package static func apply(keeping kept: Int32) -> Hardening {
        umask(0o077)
        _ = hsip_close_from(3 + kept)
        var facts: [(Measure, Bool)] = [
            (.notDumpable, hsip_set_not_dumpable() == 0),
            (.noCore, hsip_no_core() == 0),
            (.noNewPrivileges, hsip_no_new_privileges() == 0),
        ]
        facts.append((.callFilter, hsip_filter_calls() == 0))
        _ = hsip_raise_descriptors(enoughDescriptors)
        let limit = hsip_raise_locked_memory()
        facts.append((.lockedMemory, limit < 0 || limit >= enoughLockedMemory))
        return Hardening(
            active: facts.filter(\.1).map(\.0),
            missing: facts.filter { !$0.1 }.map(\.0),
            lockedMemoryLimit: limit < 0 ? nil : Int(limit)
        )
    }
}
