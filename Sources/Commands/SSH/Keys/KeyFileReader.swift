package import Presentation
package import SSHFormats
internal import System
package import VaultCrypto

/// Reads private keys out of files in every form there is a way for.
package struct KeyFileReader {
    let context: Context
    private let passphrases: KeyPassphrases

    /// - Throws: what is wrong with the file of the passphrase, before any key is looked at.
    package init(_ context: Context, passphraseFile: String? = nil) throws(Failure) {
        self.context = context
        passphrases = try KeyPassphrases(context, file: passphraseFile)
    }

    /// The key in a text; `shown` is what the file is called when its passphrase is asked for.
    ///
    /// Throws `noKey` for a text without a private key, `dsaRefused` for a DSA key, and what opening a file
    /// of its form throws.
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
            // Old ciphers that are not made any more: OpenSSH still opens them.
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

    /// Reads a key by OpenSSH; throws `reason` where OpenSSH cannot read it either.
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
            "hsip needs puttygen for PuTTY keys, and puttygen is not installed",
            hint: "apt install putty-tools"
        )
    }
}
