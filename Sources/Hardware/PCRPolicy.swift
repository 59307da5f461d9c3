internal import CTSSLoader
internal import RecordStore
internal import VaultCrypto

/// A policy that registers have the values they had, and that the auth is known where a PIN guards the object.
enum PCRPolicy {
    /// TPML_PCR_SELECTION: one bank, SHA-256, the registers 0 to 23 whose bit is set.
    private static func selection(_ mask: UInt32) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 1, 0x00, 0x0B, 3]
        for register in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: mask >> (8 * register))) }
        return bytes
    }

    /// The digest that an object is made with: of the registers as they are now.
    static func digest(_ mask: UInt32, pin: Bool, _ tpm: TPM) throws(TPMError) -> [UInt8] {
        let session = try TPMSession.start(.trial, saltedTo: nil, tpm)
        try apply(mask, pin: pin, to: session, tpm)
        var answer: UnsafeMutableRawPointer?
        let (number, none) = (session.number, HSIP_ESYS_NONE)
        try tpm.call { unsafe tpm.calls.Esys_PolicyGetDigest(tpm.context, number, none, none, none, &answer) }
        return Array(unsafe try tpm.take(answer, tpm.calls.Tss2_MU_TPM2B_DIGEST_Marshal).dropFirst(2))
    }

    /// Goes through the policy in a session.
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
