internal import Glibc

/// OpenSSH's program that lets a security key sign.
package enum SecurityKeyProgram {
    /// Where the packages of Linux distributions put it.
    private static let places = [
        "/usr/lib/openssh/ssh-sk-helper", "/usr/libexec/openssh/ssh-sk-helper", "/usr/lib/ssh/ssh-sk-helper",
        "/usr/libexec/ssh-sk-helper", "/usr/local/libexec/ssh-sk-helper",
    ]

    /// Its path: that in `$SSH_SK_HELPER`, as for every program of OpenSSH, else where it usually is; nil if it is not there.
    package static func path(in environment: Environment) -> String? {
        let places = environment["SSH_SK_HELPER"].map { [$0] } ?? places
        return places.filter { $0.hasPrefix("/") }.first { unsafe access($0, X_OK) == 0 }
    }
}
