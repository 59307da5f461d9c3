internal import CTSSLoader
internal import Glibc
package import RecordStore

/// A connection to a TPM 2, which one thread uses.
///
/// Objects and sessions are flushed by their `TPMHandle`, so only requested changes remain in the TPM.
@safe package final class TPM {
    /// The functions of the library.
    let calls: hsip_tss
    let context: OpaquePointer
    private let connection: UnsafeMutableRawPointer

    /// The number of tries while the TPM is busy, and the pause between them in microseconds.
    private static let attempts = (count: 5, pause: UInt32(200_000))

    /// Connects to the TPM.
    ///
    /// - Throws: `noLibrary`, `noTPM`, `denied`, `busy`, `failed`.
    package init(_ transport: TPMTransport = .standard) throws(TPMError) {
        guard let table = unsafe hsip_tss_load() else { throw .noLibrary }
        unsafe calls = table.pointee
        unsafe connection = try transport.connect()
        var made: OpaquePointer?
        let code = unsafe calls.Esys_Initialize(&made, connection, nil)
        guard code == 0, let made = unsafe made else {
            unsafe hsip_tcti_end(connection)
            unsafe connection.deallocate()
            throw .failed(code: code)
        }
        unsafe context = made
    }

    deinit {
        var ended: OpaquePointer? = unsafe context
        unsafe calls.Esys_Finalize(&ended)
        unsafe hsip_tcti_end(connection)
        unsafe connection.deallocate()
    }

    /// Calls a function, and repeats the call while the TPM is busy.
    ///
    /// - Throws: The error that `explain` makes of a code; else `busy`, `lockout`, `otherTPM`, `stateDiffers`, `failed`.
    func call(
        explaining explain: (_ plain: UInt32) -> TPMError? = { _ in nil },
        _ body: () -> UInt32
    ) throws(TPMError) {
        for attempt in 1... {
            let code = body()
            if code == 0 { return }
            let plain = TPMError.plain(code)
            guard TPMCode.transient.contains(plain) else {
                if let error = explain(plain) { throw error }
                throw try explanation(plain, code)
            }
            if attempt == Self.attempts.count { throw .busy }
            usleep(Self.attempts.pause)
        }
    }

    private func explanation(_ plain: UInt32, _ code: UInt32) throws(TPMError) -> TPMError {
        switch plain {
        case TPMCode.lockout: .lockout(seconds: try lockout().seconds)
        case TPMCode.integrity: .otherTPM
        case TPMCode.policyFail: .stateDiffers
        default: .failed(code: code)
        }
    }

    /// Reads how many PINs were wrong, and how many may be (TPM 2.0 part 1, section 19.8).
    package func lockout() throws(TPMError) -> TPMLockout {
        // TPM_PT_LOCKOUT_COUNTER, MAX_AUTH_FAIL, LOCKOUT_INTERVAL, LOCKOUT_RECOVERY follow each other.
        let first: UInt32 = 0x200 + 14
        var found: [UInt32: UInt32] = [:]
        // TPM_CAP_TPM_PROPERTIES: capability, count, pairs.
        var reader = TPMReader(try capability(6, first, 4))
        guard reader.number(UInt32.self) == 6, let count = reader.number(UInt32.self), count <= 256 else {
            throw .failed(code: 0)
        }
        for _ in 0..<count {
            guard let property = reader.number(UInt32.self), let value = reader.number(UInt32.self) else {
                throw .failed(code: 0)
            }
            found[property] = value
        }
        return TPMLockout(
            wrong: found[first] ?? 0,
            allowed: found[first + 1] ?? 0,
            interval: found[first + 2] ?? 0,
            recovery: found[first + 3] ?? 0
        )
    }

    /// True if the TPM has a persistent object or an index with this handle.
    func has(_ handle: UInt32) throws(TPMError) -> Bool {
        // TPM_CAP_HANDLES returns the first handle from this one on.
        var reader = TPMReader(try capability(1, handle, 1))
        guard reader.number(UInt32.self) == 1, let count = reader.number(UInt32.self) else {
            throw .failed(code: 0)
        }
        return count > 0 && reader.number(UInt32.self) == handle
    }

    private func capability(_ capability: UInt32, _ first: UInt32, _ count: UInt32) throws(TPMError)
        -> [UInt8]
    {
        var answer: UnsafeMutableRawPointer?
        var more: UInt8 = 0
        let none = HSIP_ESYS_NONE
        try call {
            unsafe calls.Esys_GetCapability(
                context,
                none,
                none,
                none,
                capability,
                first,
                count,
                &more,
                &answer
            )
        }
        return unsafe try take(answer, calls.Tss2_MU_TPMS_CAPABILITY_DATA_Marshal)
    }
}

/// An object, session or index as the library knows it, which is released with this value.
struct TPMHandle: ~Copyable {
    /// What happens to the object at the end.
    enum End {
        /// It is removed from the TPM.
        case flush
        /// It stays in the TPM.
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

    /// Opens an object or index that stays in the TPM, by its handle.
    ///
    /// - Throws: `failed` if the TPM has no such object.
    static func persistent(_ handle: UInt32, _ tpm: TPM) throws(TPMError) -> TPMHandle {
        var number: hsip_esys_handle = HSIP_ESYS_NONE
        let none = HSIP_ESYS_NONE
        try tpm.call {
            unsafe tpm.calls.Esys_TR_FromTPMPublic(tpm.context, handle, none, none, none, &number)
        }
        return TPMHandle(number, tpm, .forget)
    }

    /// The name of the object (34 bytes), computed from the public area that the library uses.
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
