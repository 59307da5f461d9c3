internal import Glibc
package import RecordStore
package import System
package import VaultCrypto

/// A source of the secret that opens a vault: a file, a descriptor or a person.
package protocol SecretSource {
    /// Whether the secret was named from outside: it is tried once, and nothing else is tried.
    var isNamed: Bool { get }

    /// Whether a person types the secret, which may last long: nothing is held open meanwhile.
    var isAsked: Bool { get }

    /// The option that named the secret for one command, which a vault without a passphrase refuses; otherwise nil.
    var option: String? { get }

    /// Gives the secret as it was received.
    ///
    /// - Parameter attempt: 1, and one more after each slip.
    /// - Returns: its bytes, in locked memory.
    /// - Throws: `file` and `secretFile` for what cannot be read, and for a person who said no;
    ///   `store(.locked)` if there is no way to ask.
    func secret(attempt: Int) throws(OpeningError) -> SecretBytes

    /// Makes from the secret the value that opens the vault.
    ///
    /// - Throws: what `secret` throws; `store(.mistyped)`.
    func unlock(attempt: Int) throws(OpeningError) -> Unlock

    /// Whether key slots of the keyring and the TPM are not tried before this secret.
    var isAlone: Bool { get }

    /// Tells the person that the secret was wrong, before the next prompt.
    func tell(slip: StoreError)
}

extension SecretSource {
    package var isAsked: Bool { !isNamed }

    package var option: String? { nil }

    package var isAlone: Bool { isNamed }

    package func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        let typed = try secret(attempt: attempt)
        do throws(StoreError) { return try TypedSecret.unlock(typed) } catch { throw .store(error) }
    }

    package func tell(slip: StoreError) {}
}

/// A secret that came with a request.
package struct GivenSecret: SecretSource {
    private let secret: Secret

    package init(_ secret: Secret) { self.secret = secret }

    package var isNamed: Bool { true }

    package func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
        do throws(CryptoError) { return try SecretBytes(copying: secret) } catch {
            throw .store(.outOfMemory)
        }
    }
}

/// A secret that is ready to open the vault, made from what a person did.
struct ReadySecret: SecretSource {
    private let ready: Unlock

    init(_ ready: Unlock) { self.ready = ready }

    var isNamed: Bool { true }

    func secret(attempt: Int) throws(OpeningError) -> SecretBytes { throw .store(.noSuchSlot) }

    func unlock(attempt: Int) throws(OpeningError) -> Unlock { ready }
}

extension StoreError {
    /// A wrong passphrase or a mistyped recovery code: a person may try again.
    package var isSlip: Bool { self == .wrongSecret || self == .mistyped }
}

/// A secret in a file or behind a descriptor that was named: its first line.
package struct NamedSecret: SecretSource, Equatable, Sendable {
    /// Where the secret is stored.
    package enum Origin: Equatable, Sendable {
        case descriptor(Int32)
        /// A file that only its owner may read.
        case file(String)
        /// A credential that systemd gave to the unit.
        case credential(String)
        /// A credential of systemd with a key file, which opens a slot of kind 3.
        case keyFile(String)
    }

    package let origin: Origin
    package let option: String?

    package init(_ origin: Origin, option: String? = nil) {
        self.origin = origin
        self.option = option
    }

    /// The secret that the environment names: `$HSIP_PASSPHRASE_FILE`, else a credential of the unit.
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

    /// Reads the first line of the file or descriptor.
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

    /// Makes the value that opens the vault: from a key file its key, else from a line that a person could have typed.
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
