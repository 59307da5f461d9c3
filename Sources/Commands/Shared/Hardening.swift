internal import CLinux
internal import Glibc

/// What the process gives up before it holds a secret.
package enum Hardening {
    /// No core dump, and no other process of the same user may look into this one's memory (ptrace,
    /// /proc/PID/mem).
    ///
    /// A failure changes nothing that would be wrong without it, so it is no error; `doctor` reports it.
    package static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = hsip_set_not_dumpable()
        // A file that may grow no more is an error of the write, as a full disk is.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Lets other programs of the same user see which program this is, for the time of `body`: the agent wants to
    /// know who connects, and takes one that hides itself for unknown.
    package static func visibly<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        _ = hsip_set_dumpable()
        defer { _ = hsip_set_not_dumpable() }
        return try body()
    }
}
