internal import CTSSLoader
internal import RecordStore

/// An object, session or index as the library knows it; it is let go of with this value.
struct TPMHandle: ~Copyable {
    /// What is due at the end.
    enum End {
        /// It leaves the TPM.
        case flush
        /// It stays there.
        case forget
    }

    let number: hsip_esys_handle
    private let tpm: TPM
    private let end: End

    init(_ number: hsip_esys_handle, _ tpm: TPM, _ end: End) {
        self.number = number
        self.tpm = tpm
        self.end = end
    }

    /// An object or index that stays in the TPM, by its handle there.
    ///
    /// - Throws: `failed` where there is none.
    static func persistent(_ handle: UInt32, _ tpm: TPM) throws(TPMError) -> TPMHandle {
        var number: hsip_esys_handle = HSIP_ESYS_NONE
        let none = HSIP_ESYS_NONE
        try tpm.call {
            unsafe tpm.calls.Esys_TR_FromTPMPublic(tpm.context, handle, none, none, none, &number)
        }
        return TPMHandle(number, tpm, .forget)
    }

    /// Its name (34 bytes), computed from the public area that the library goes by.
    func name() throws(TPMError) -> [UInt8] {
        var answer: UnsafeMutableRawPointer?
        try tpm.call { unsafe tpm.calls.Esys_TR_GetName(tpm.context, number, &answer) }
        let bytes = unsafe try tpm.take(answer, tpm.calls.Tss2_MU_TPM2B_NAME_Marshal)
        guard bytes.count == 2 + TPM2Params.nameSize else { throw .failed(code: 0) }
        return Array(bytes.dropFirst(2))
    }

    deinit {
        switch end {
        case .flush: _ = unsafe tpm.calls.Esys_FlushContext(tpm.context, number)
        case .forget:
            var number = number
            _ = unsafe tpm.calls.Esys_TR_Close(tpm.context, &number)
        }
    }
}
