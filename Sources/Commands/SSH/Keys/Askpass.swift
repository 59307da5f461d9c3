internal import Glibc
internal import VaultCrypto

/// This program in the part of SSH_ASKPASS, for the OpenSSH tool that it started itself to read a key file.
///
/// The passphrase waits in a named pipe of the parent; it is never in a file, an argument or a variable.
package enum Askpass {
    /// The variable that names the pipe.
    static let variable = "HSIP_ASKPASS_PIPE"

    /// Answers if that is what was started; the exit code, or nil for an ordinary start.
    ///
    /// It answers once: the pipe goes as it is read, so that a wrong passphrase is not asked for again.
    package static func answer() -> Int32? {
        guard let path = unsafe getenv(variable) else { return nil }
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO,
            facts.st_uid == geteuid()
        else { return 1 }
        let pipe = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard pipe >= 0, unsafe unlink(path) == 0 else { return 1 }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        defer { bytes.wipe() }
        let count = unsafe read(pipe, &bytes, bytes.count)
        guard count > 0 else { return 1 }
        return unsafe write(STDOUT_FILENO, &bytes, count) == count ? 0 : 1
    }
}
