internal import CTSSLoader
internal import RecordStore
internal import VaultCrypto

/// Sessions, with which no authValue crosses the bus, and sealed bytes cross it encrypted.
enum TPMSession {
    /// The type of a session (TPM_SE).
    enum Kind: UInt8 {
        case hmac = 0
        case policy = 1
        /// Computes the digest of a policy, and authorises nothing.
        case trial = 3
    }

    /// The parameters of the next command that are encrypted (TPMA_SESSION); the session always continues after it.
    enum Encryption: UInt8 {
        case none = 0x01
        case answer = 0x41
        case both = 0x61
    }

    /// Starts a session with AES-128-CFB and SHA-256.
    ///
    /// Its secret is sent to the key to which it is salted. Without such a key, only an auth of 32 random bytes protects it.
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

    /// Sets which parameters the session encrypts from now on.
    static func encrypt(_ what: Encryption, _ session: borrowing TPMHandle, _ tpm: TPM) throws(TPMError) {
        let number = session.number
        try tpm.call { unsafe tpm.calls.Esys_TRSess_SetAttributes(tpm.context, number, what.rawValue, 0xFF) }
    }
}

extension TPM {
    /// Sets the auth of an object or index, which sessions then prove to know.
    func setAuth(_ auth: borrowing some ByteSource & ~Copyable, of object: borrowing TPMHandle)
        throws(TPMError)
    {
        let structure = unsafe try TPMStructure(try sized(auth), calls.Tss2_MU_TPM2B_DIGEST_Unmarshal)
        let (number, memory) = unsafe (object.number, structure.memory)
        try call { unsafe calls.Esys_TR_SetAuth(context, number, memory) }
    }

    /// The bytes after their length in 16 bits, in locked memory.
    func sized(_ bytes: borrowing some ByteSource & ~Copyable) throws(TPMError) -> SecretBytes {
        do {
            return try SecretBytes.joined([UInt8].wire(UInt16(truncatingIfNeeded: bytes.count)), bytes)
        } catch {
            throw .outOfMemory
        }
    }
}

/// A policy that requires the values of registers and, if a PIN protects the object, its auth.
enum PCRPolicy {
    /// TPML_PCR_SELECTION: one bank, SHA-256, the registers 0 to 23 whose bit is set.
    private static func selection(_ mask: UInt32) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 1, 0x00, 0x0B, 3]
        for register in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: mask >> (8 * register))) }
        return bytes
    }

    /// The digest of the policy for the current values of the registers.
    static func digest(_ mask: UInt32, pin: Bool, _ tpm: TPM) throws(TPMError) -> [UInt8] {
        let session = try TPMSession.start(.trial, saltedTo: nil, tpm)
        try apply(mask, pin: pin, to: session, tpm)
        var answer: UnsafeMutableRawPointer?
        let (number, none) = (session.number, HSIP_ESYS_NONE)
        try tpm.call { unsafe tpm.calls.Esys_PolicyGetDigest(tpm.context, number, none, none, none, &answer) }
        return Array(unsafe try tpm.take(answer, tpm.calls.Tss2_MU_TPM2B_DIGEST_Marshal).dropFirst(2))
    }

    /// Satisfies the policy in a session.
    static func apply(_ mask: UInt32, pin: Bool, to session: borrowing TPMHandle, _ tpm: TPM) throws(TPMError)
    {
        let calls = tpm.calls
        let digest = unsafe try TPMStructure([UInt8].wire(0), calls.Tss2_MU_TPM2B_DIGEST_Unmarshal)
        let registers = unsafe try TPMStructure(selection(mask), calls.Tss2_MU_TPML_PCR_SELECTION_Unmarshal)
        let (number, none) = (session.number, HSIP_ESYS_NONE)
        let (first, second) = unsafe (digest.memory, registers.memory)
        try tpm.call { unsafe calls.Esys_PolicyPCR(tpm.context, number, none, none, none, first, second) }
        guard pin else { return }
        try tpm.call { unsafe calls.Esys_PolicyAuthValue(tpm.context, number, none, none, none) }
    }
}
