internal import Glibc
package import RecordStore
package import System
package import VaultCrypto

/// A secret in a file or behind a descriptor that was named: its first line.
package struct NamedSecret: SecretSource, Equatable, Sendable {
    /// Where it lies.
    package enum Origin: Equatable, Sendable {
        case descriptor(Int32)
        /// A file that only its owner may read.
        case file(String)
        /// A credential that systemd gave to the unit.
        case credential(String)
        /// The same with a key file, which opens a slot of kind 3.
        case keyFile(String)
    }

    package let origin: Origin
    package let option: String?

    package init(_ origin: Origin, option: String? = nil) {
        self.origin = origin
        self.option = option
    }

    /// What the environment names: `$HSIP_PASSPHRASE_FILE`, else a credential of the unit.
    package static func inherited(_ environment: Environment) -> NamedSecret? {
        if let path = environment["HSIP_PASSPHRASE_FILE"] { return NamedSecret(.file(path)) }
        return credential(environment)
    }

    /// The credential `hsip.key`, else `hsip.passphrase`, if the unit has one.
    package static func credential(_ environment: Environment) -> NamedSecret? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else { return nil }
        let (key, passphrase) = (folder + "/hsip.key", folder + "/hsip.passphrase")
        if Path.exists(key) { return NamedSecret(.keyFile(key)) }
        return Path.exists(passphrase) ? NamedSecret(.credential(passphrase)) : nil
    }

    package var isNamed: Bool { true }

    /// The first line of it.
    ///
    /// - Throws: `closedDescriptor`; `file` for a descriptor and `secretFile` for a file that cannot be read.
    package func secret(attempt: Int = 1) throws(OpeningError) -> SecretBytes {
        switch origin {
        case .descriptor(let number):
            guard fcntl(number, F_GETFD) >= 0 else { throw .closedDescriptor(number) }
            return try asOpeningError { try PassphraseFile.read(descriptor: Descriptor(number)) }
        case .file(let path), .credential(let path), .keyFile(let path):
            do throws(ProgramError) {
                if case .file = origin { return try PassphraseFile.read(path) }
                return try Self.firstLine(path)
            } catch {
                throw .secretFile(path: path, error)
            }
        }
    }

    /// What opens the vault: the key of a key file, else what a person could have typed.
    ///
    /// - Throws: as `secret`; `secretFile` for a credential that holds no key; `store(.mistyped)`.
    package func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        let given = try secret(attempt: attempt)
        do throws(StoreError) {
            guard case .keyFile = origin else { return try TypedSecret.unlock(given) }
            return .keyFile(try KeyFile.read(given))
        } catch {
            guard case .keyFile(let path) = origin, error == .mistyped else { throw .store(error) }
            throw .secretFile(path: path, .unsafeFile(.notAKey))
        }
    }

    /// systemd lets the unit read a credential by an access list, which shows as a group permission; so
    /// owner and mode say nothing here.
    private static func firstLine(_ path: String) throws(ProgramError) -> SecretBytes {
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
