internal import Glibc
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// Opens key files that this program does not read itself (PEM with PKCS#1, SEC1 and PKCS#8), with OpenSSH.
///
/// `ssh-add -` reads the file from a pipe, and hands the key to this program, which acts as its agent.
/// The file goes through one pipe, the passphrase through another, and the key comes back over a socket in a
/// folder of mode 0700. So no secret is on a disk, in an argument or in the environment.
struct ForeignKeyFile {
    /// The most bytes of a file: so many fit into a pipe at once, and no key file is as long.
    static let longest = 60_000
    private static let seconds = 30

    let environment: Environment

    /// Opens a file.
    ///
    /// - Throws: `SSHFormatError.passphraseNeeded`, `wrongPassphrase`; `malformed` if OpenSSH cannot read the file;
    ///   `Failure` of code `unavailable` without OpenSSH.
    func open(_ text: Secret, passphrase: Secret?) throws -> PrivateKey {
        guard text.count <= Self.longest else { throw SSHFormatError.oversized(limit: Self.longest) }
        guard let tool = ChildProcess.find("ssh-add", in: environment) else { throw Self.missing }
        let folder = try PrivateFolder(in: environment)
        let pipe = try folder.pipe("passphrase", holding: passphrase)
        let listener = try KeyListener(at: folder.path + "/agent")
        let process = try start(tool, folder, text)
        let message = try listener.receive(while: process, seconds: Self.seconds)
        // The pipe is removed when it is read.
        let wasAsked = !Path.exists(pipe.path)
        guard let message else {
            guard !wasAsked || passphrase != nil else { throw SSHFormatError.passphraseNeeded }
            if let key = try ed25519(text, passphrase) { return key }
            throw wasAsked ? SSHFormatError.wrongPassphrase : SSHFormatError.malformed
        }
        var key = try PrivateKey(addition: message)
        // The comment that ssh-add sets for a file without one.
        if key.comment == Array("(stdin)".utf8) { key.comment = [] }
        return key
    }

    /// Starts the tool with the text of the file as its standard input.
    private func start(_ tool: String, _ folder: PrivateFolder, _ text: Secret) throws -> Child {
        guard let own = Self.ownPath() else { throw Self.missing }
        var variables = [
            "PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path,
            "SSH_AUTH_SOCK": folder.path + "/agent", "SSH_ASKPASS": own, "SSH_ASKPASS_REQUIRE": "force",
            Askpass.variable: folder.path + "/passphrase",
        ]
        variables["LD_LIBRARY_PATH"] = environment["LD_LIBRARY_PATH"]
        return try Child(tool, ["-q", "-"], variables, input: text)
    }

    /// An Ed25519 key in PKCS#8, opened by OpenSSL through pipes: OpenSSH reads such keys only from 9.6 on.
    ///
    /// Nil for anything else, and without OpenSSL.
    private func ed25519(_ text: Secret, _ passphrase: Secret?) throws -> PrivateKey? {
        guard let tool = ChildProcess.find("openssl", in: environment) else { return nil }
        let folder = try PrivateFolder(in: environment)
        let pipe = try folder.pipe("passphrase", holding: passphrase)
        let words = ["pkey", "-outform", "DER", "-passin", "file:" + pipe.path]
        let variables = ["PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        let child = try Child(tool, words, variables, input: text, keepsOutput: true)
        let der = try child.output(seconds: Self.seconds)
        guard child.succeeded else { return nil }
        return try? PrivateKey(ed25519InPKCS8: der)
    }

    private static func ownPath() -> String? {
        var bytes = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static var missing: Failure {
        Failure(
            .unavailable,
            "hsip needs ssh-add for this file, and ssh-add is not installed",
            hint: "apt install openssh-client"
        )
    }
}

/// This program as SSH_ASKPASS, for the OpenSSH tool that it started to read a key file.
///
/// The passphrase waits in a named pipe of the parent; it is never in a file, an argument or a variable.
package enum Askpass {
    /// The variable that names the pipe.
    static let variable = "HSIP_ASKPASS_PIPE"

    /// Answers if the program was started as SSH_ASKPASS; returns the exit code, or nil for an ordinary start.
    ///
    /// The passphrase is given once: the pipe is removed when read, so that a wrong one is not asked for again.
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
