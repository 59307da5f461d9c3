internal import CLinux
internal import Glibc

/// Restricts the process before it holds a secret.
package enum Hardening {
    /// Forbids core dumps, and other processes of the same user to read this one's memory (ptrace, /proc/PID/mem).
    ///
    /// A failure is not an error, because the command works correctly without this protection; `doctor` reports it.
    package static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = hsip_set_not_dumpable()
        // If a file reaches its size limit, the write then fails with an error, as on a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Lets other programs of the same user see which program this is, while `body` runs.
    ///
    /// The agent checks who connects, and treats a program that hides itself as unknown.
    package static func visibly<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        _ = hsip_set_dumpable()
        defer { _ = hsip_set_not_dumpable() }
        return try body()
    }
}
