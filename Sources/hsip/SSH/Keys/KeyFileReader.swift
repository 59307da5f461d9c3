internal import Console
internal import SSHFormats
internal import VaultCrypto

/// Reads private keys out of files in every form there is a way for.
struct KeyFileReader {
    let context: Context
    let passphrases: KeyPassphrases

    /// The key in a text.
    ///
    /// - Parameter shown: what the file is called when its passphrase is asked for.
    func read(_ text: Secret, _ shown: String) throws -> KeyRecord {
        switch KeyContainer(text) {
        case .openSSH: return try openSSH(text, shown)
        case .pem: return try foreign(text, shown, .pem)
        case .dsa: throw SSHFormatError.dsaRefused
        case .putty: return try putty(text, shown)
        case .publicKey:
            throw Failure(
                .noKey,
                "this is the public half of a key; the vault keeps private ones",
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
        // Nobody is asked for a passphrase that leads to nothing.
        guard file.publicKey.algorithm != .dsa else { throw SSHFormatError.dsaRefused }
        let (key, hadPassphrase) = try passphrases.open(shown) { try file.open(passphrase: $0) }
        return KeyRecord(key, origin: .openSSH, hadPassphrase: hadPassphrase)
    }

    private func putty(_ text: Secret, _ shown: String) throws -> KeyRecord {
        let reader = PuTTYKeyFile(environment: context.environment)
        let (key, hadPassphrase) = try passphrases.open(shown) { try reader.open(text, passphrase: $0) }
        return KeyRecord(key, origin: .putty, hadPassphrase: hadPassphrase)
    }

    /// - Parameter reason: what is said instead when OpenSSH cannot read it either.
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
