internal import Console
internal import Programs
internal import SSHFormats
internal import VaultCrypto

/// Key files of PuTTY (.ppk, version 2 and 3), turned into OpenSSH's own form by PuTTY's tool.
///
/// The file goes to it through one pipe, the passphrase through another, and what it makes comes back through a
/// third, closed with the same passphrase: nothing secret is on a disk, in an argument or in the environment.
struct PuTTYKeyFile {
    private static let seconds = 60

    let environment: Environment

    /// Opens a file.
    ///
    /// - Throws: `SSHFormatError.passphraseNeeded`, `wrongPassphrase`; `malformed` for what the tool does not read;
    ///   what reading a key throws; `Failure` of code `unavailable` without the tool.
    func open(_ text: Secret, passphrase: Secret?) throws -> PrivateKey {
        let head = try PuTTYHead(text)
        guard text.count <= ForeignKeyFile.longest else {
            throw SSHFormatError.oversized(limit: ForeignKeyFile.longest)
        }
        guard let tool = ChildProcess.find("puttygen", in: environment) else { throw Self.missing }
        let isClosed = head.isEncrypted
        guard !isClosed || passphrase.map({ $0.count > 0 }) ?? false else {
            throw SSHFormatError.passphraseNeeded
        }
        let folder = try PrivateFolder(in: environment)
        // It asks for a passphrase that it is not given: so it always gets one, be it empty.
        let pipe = try folder.pipe("passphrase", holding: isClosed ? passphrase : nil)
        let words = [
            "/dev/stdin", "-q", "-O", "private-openssh-new", "-o", "/dev/stdout", "--old-passphrase",
            pipe.path,
        ]
        let variables = [
            "PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path,
        ]
        let child = try Child(tool, words, variables, input: text, keepsOutput: true)
        let made = try child.output(seconds: Self.seconds)
        guard child.succeeded, made.count > 0 else {
            throw isClosed ? SSHFormatError.wrongPassphrase : SSHFormatError.malformed
        }
        return try OpenSSHKeyFile(text: made).open(passphrase: isClosed ? passphrase : nil)
    }

    private static var missing: Failure {
        Failure(
            .unavailable,
            "a key of PuTTY is read with puttygen, which is not installed",
            hint: "apt install putty-tools"
        )
    }
}
