package import RecordStore
package import VaultCrypto

/// Where the secret that opens a vault comes from: a file, a descriptor, a person.
package protocol SecretSource {
    /// It was given from outside: it is tried once, and nothing else is tried.
    var isNamed: Bool { get }

    /// A person gives it, who may take their time: nothing is held open meanwhile.
    var isAsked: Bool { get }

    /// The option that named it for this one act, which a vault without a passphrase refuses; nil for anything else.
    var option: String? { get }

    /// The secret as it came.
    ///
    /// - Parameter attempt: 1, and one more after each slip.
    /// - Returns: its bytes, in locked memory.
    /// - Throws: `file` and `secretFile` for what cannot be read, and for a person who said no;
    ///   `store(.locked)` where there is no way to ask.
    func secret(attempt: Int) throws(OpeningError) -> SecretBytes

    /// What opens the vault, made of the secret.
    ///
    /// - Throws: what `secret` throws; `store(.mistyped)`.
    func unlock(attempt: Int) throws(OpeningError) -> Unlock

    /// Key slots of the keyring and the TPM are not tried before it.
    var isAlone: Bool { get }

    /// Tells the person that this was not it, before they are asked again.
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

/// What opens the vault, made already of what a person did.
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
