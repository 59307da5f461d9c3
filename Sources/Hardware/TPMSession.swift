internal import CTSSLoader
internal import RecordStore
internal import VaultCrypto

/// A session: authValues do not cross the bus, and what is sealed crosses it encrypted.
enum TPMSession {
    /// TPM_SE: what it is for.
    enum Kind: UInt8 {
        case hmac = 0
        case policy = 1
        /// Computes the digest of a policy, opens nothing.
        case trial = 3
    }

    /// Which parameters of the next command it encrypts (TPMA_SESSION); it goes on afterwards in any case.
    enum Encryption: UInt8 {
        case none = 0x01
        case answer = 0x41
        case both = 0x61
    }

    /// Starts one with AES-128-CFB and SHA-256.
    ///
    /// Its secret is sent to the key that it is salted to. Without one only an auth of 32 random bytes guards it.
    static func start(_ kind: Kind, saltedTo salted: hsip_esys_handle?, _ tpm: TPM) throws(TPMError)
        -> TPMHandle
    {
        let cipher = unsafe try TPMStructure(
            [UInt8].wire(0x0006, 128, 0x0043),
            tpm.calls.Tss2_MU_TPMT_SYM_DEF_Unmarshal
        )
        var session: hsip_esys_handle = HSIP_ESYS_NONE
        let none = HSIP_ESYS_NONE
        let memory = unsafe cipher.memory
        try tpm.call {
            unsafe tpm.calls.Esys_StartAuthSession(
                tpm.context,
                salted ?? none,
                none,
                none,
                none,
                none,
                nil,
                kind.rawValue,
                memory,
                0x000B,
                &session
            )
        }
        return TPMHandle(session, tpm, .flush)
    }

    /// Sets what it encrypts from now on.
    static func encrypt(_ what: Encryption, _ session: borrowing TPMHandle, _ tpm: TPM) throws(TPMError) {
        let number = session.number
        try tpm.call { unsafe tpm.calls.Esys_TRSess_SetAttributes(tpm.context, number, what.rawValue, 0xFF) }
    }
}

extension TPM {
    /// Gives an object or index the auth that sessions prove to know.
    func setAuth(_ auth: borrowing some ByteSource & ~Copyable, of object: borrowing TPMHandle)
        throws(TPMError)
    {
        let structure = unsafe try TPMStructure(try sized(auth), calls.Tss2_MU_TPM2B_DIGEST_Unmarshal)
        let (number, memory) = unsafe (object.number, structure.memory)
        try call { unsafe calls.Esys_TR_SetAuth(context, number, memory) }
    }

    /// Bytes after their number in 16 bits, in locked memory.
    func sized(_ bytes: borrowing some ByteSource & ~Copyable) throws(TPMError) -> SecretBytes {
        do {
            return try SecretBytes.joined([UInt8].wire(UInt16(truncatingIfNeeded: bytes.count)), bytes)
        } catch {
            throw .outOfMemory
        }
    }
}
