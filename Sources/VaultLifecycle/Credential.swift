package import Programs
package import VaultCrypto

/// What systemd gives to a unit: a file in the folder of its credentials.
package enum Credential {
    /// The file with the passphrase of a vault, if the unit has one.
    package static func path(_ environment: Environment) -> String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else { return nil }
        let path = folder + "/hsip.passphrase"
        return Path.exists(path) ? path : nil
    }

    /// Its first line; nil where the unit has none.
    package static func passphrase(_ environment: Environment) throws(OpeningError) -> Secret? {
        guard let path = path(environment) else { return nil }
        do throws(ProgramError) {
            return Secret(try firstLine(path))
        } catch {
            throw .secretFile(path: path, error)
        }
    }

    /// The first line of the file.
    ///
    /// systemd lets the unit read a credential by an access list, which shows as a group permission; so
    /// owner and mode say nothing here.
    package static func firstLine(_ path: String) throws(ProgramError) -> SecretBytes {
        let whole = try OwnFile.readSecret(path, limit: PassphraseFile.limit)
        let end = whole.withBytes { span in
            (0..<span.byteCount).first { span.byte(at: $0) == 0x0A } ?? span.byteCount
        }
        guard end > 0 else { throw .unsafeFile(.empty) }
        do throws(CryptoError) {
            return try whole.slice(0..<end)
        } catch {
            throw .outOfMemory
        }
    }
}
