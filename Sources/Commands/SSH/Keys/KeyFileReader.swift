package import Presentation
package import SSHFormats
internal import System
package import VaultCrypto

/// Reads private keys from files, in every form that hsip or a helper program can read.
package struct KeyFileReader {
    let context: Context
    private let passphrases: KeyPassphrases

    /// - Throws: the error of the passphrase file, before any key is read.
    package init(_ context: Context, passphraseFile: String? = nil) throws(Failure) {
        self.context = context
        passphrases = try KeyPassphrases(context, file: passphraseFile)
    }

    /// The key in a text; `shown` is the file's name in the question for its passphrase.
    ///
    /// Throws `noKey` for a text without a private key, `dsaRefused` for a DSA key, and the errors of opening a
    /// file of this form.
    package func read(_ text: Secret, _ shown: String) throws -> KeyRecord {
        switch KeyContainer(text) {
        case .openSSH: return try openSSH(text, shown)
        case .pem: return try foreign(text, shown, .pem)
        case .dsa: throw SSHFormatError.dsaRefused
        case .putty: return try putty(text, shown)
        case .publicKey:
            throw Failure(
                .noKey,
                "the file is the public half of a key; the vault keeps private keys",
                hint: "hsip ssh key import FILE  without .pub"
            )
        case .other: throw SSHFormatError.noKey
        }
    }

    private func openSSH(_ text: Secret, _ shown: String) throws -> KeyRecord {
        let file: OpenSSHKeyFile
        do throws(SSHFormatError) {
            file = try OpenSSHKeyFile(text: text)
        } catch {
            // OpenSSH still opens keys with old ciphers, which are not used for new files.
            guard error == .tripleDESRefused || error == .unknownCipher else { throw error }
            return try foreign(text, shown, .openSSH, orElse: error)
        }
        // No passphrase is asked for a key that is refused anyway.
        guard file.publicKey.algorithm != .dsa else { throw SSHFormatError.dsaRefused }
        let (key, hadPassphrase) = try passphrases.open(shown) { try file.open(passphrase: $0) }
        return KeyRecord(key, origin: .openSSH, hadPassphrase: hadPassphrase)
    }

    private func putty(_ text: Secret, _ shown: String) throws -> KeyRecord {
        let reader = PuTTYKeyFile(environment: context.environment)
        let (key, hadPassphrase) = try passphrases.open(shown) { try reader.open(text, passphrase: $0) }
        return KeyRecord(key, origin: .putty, hadPassphrase: hadPassphrase)
    }

    /// Reads a key with OpenSSH; throws `reason` if OpenSSH cannot read it either.
    private func foreign(
        _ text: Secret,
        _ shown: String,
        _ origin: KeyRecord.Origin,
        orElse reason: SSHFormatError = .malformed
    ) throws -> KeyRecord {
        let reader = ForeignKeyFile(environment: context.environment)
        do {
            let (key, hadPassphrase) = try passphrases.open(shown) { try reader.open(text, passphrase: $0) }
            return KeyRecord(key, origin: origin, hadPassphrase: hadPassphrase)
        } catch SSHFormatError.malformed {
            throw reason
        }
    }
}

/// Opens key files of PuTTY (.ppk, version 2 and 3), which PuTTY's tool converts to OpenSSH's form.
///
/// The tool gets the file through one pipe and the passphrase through another. Its result comes back through a
/// third, encrypted with the same passphrase. So no secret is on a disk, in an argument or in the environment.
struct PuTTYKeyFile {
    private static let seconds = 60

    let environment: Environment

    /// Opens a file.
    ///
    /// - Throws: `SSHFormatError.passphraseNeeded`, `wrongPassphrase`; `malformed` if the tool cannot read the file;
    ///   the errors of reading a key; `Failure` of code `unavailable` without the tool.
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
        // The tool asks if it gets no passphrase, so it always gets one, which may be empty.
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
            "hsip needs puttygen for PuTTY keys, and puttygen is not installed",
            hint: "apt install putty-tools"
        )
    }
}
