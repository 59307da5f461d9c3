internal import CTSSLoader
package import VaultCrypto

/// A counter in a TPM: it can be incremented, never set.
///
/// Removed and made anew it starts above the highest value that any counter of the TPM ever had.
package struct TPMCounter: Equatable, Sendable {
    /// Bytes of the auth, which is random.
    package static let authSize = 32
    /// Handles of indices that an owner may make; 22 bits choose one.
    package static let handles: ClosedRange<UInt32> = 0x0180_0000...0x01BF_FFFF
    /// AUTHWRITE, AUTHREAD, OWNERREAD, NO_DA, counter.
    ///
    /// Not ORDERLY: such a counter jumps after an unclean stop.
    private static let attributes: UInt32 = 0x0206_0014
    /// How many handles are tried when one belongs to something else.
    private static let tries = 16

    /// The index.
    package let handle: UInt32
    /// Its name (34 bytes), which covers its attributes.
    package let name: [UInt8]

    /// A counter as it was recorded.
    package init(handle: UInt32, name: [UInt8]) {
        self.handle = handle
        self.name = name
    }

    /// Makes one and counts once, which gives it its value and its name.
    ///
    /// An index of the same form at this handle that never counted was left by an attempt that did not end, and is replaced. Any
    /// other may be the counter of another vault, and the next handle is taken.
    ///
    /// - Throws: `owned` when the owner hierarchy has a password; `busy`, `failed`.
    package static func make(
        at preferred: UInt32,
        auth: borrowing SecretBytes,
        _ tpm: TPM
    ) throws(TPMError) -> (counter: TPMCounter, value: UInt64) {
        guard handles.contains(preferred), auth.count == authSize else { throw .failed(code: TPMCode.value) }
        var handle = preferred
        for _ in 0..<tries {
            if try !tpm.has(handle) {
                try define(handle, auth, tpm)
                let made = TPMCounter(handle: handle, name: try TPMHandle.persistent(handle, tpm).name())
                let value = try made.increment(auth: auth, tpm)
                return (TPMCounter(handle: handle, name: try TPMHandle.persistent(handle, tpm).name()), value)
            }
            if try isLeftover(handle, tpm) {
                try TPMCounter(handle: handle, name: []).remove(tpm)
                continue
            }
            handle = handle == handles.upperBound ? handles.lowerBound : handle + 1
        }
        throw .failed(code: TPMCode.nvDefined)
    }

    /// Its value, which nobody without the auth can make up.
    ///
    /// - Throws: `counterGone` when the index is gone, another one, or does not know the auth; `busy`, `failed`.
    package func read(auth: borrowing SecretBytes, _ tpm: TPM) throws(TPMError) -> UInt64 {
        let index = try find(auth, tpm)
        let session = try TPMSession.start(.hmac, saltedTo: nil, tpm)
        return try read(index, session, tpm)
    }

    /// Counts once, and reads the value.
    ///
    /// - Throws: As `read`.
    package func increment(auth: borrowing SecretBytes, _ tpm: TPM) throws(TPMError) -> UInt64 {
        let index = try find(auth, tpm)
        let session = try TPMSession.start(.hmac, saltedTo: nil, tpm)
        try TPMSession.encrypt(.none, session, tpm)
        let (number, authority, none) = (index.number, session.number, HSIP_ESYS_NONE)
        try tpm.call(explaining: Self.explain) {
            unsafe tpm.calls.Esys_NV_Increment(tpm.context, number, number, authority, none, none)
        }
        return try read(index, session, tpm)
    }

    /// Removes the index, which needs no auth but the right to use the TPM; one that is gone is gone.
    package func remove(_ tpm: TPM) throws(TPMError) {
        guard Self.handles.contains(handle), try tpm.has(handle) else { return }
        let index = try TPMHandle.persistent(handle, tpm)
        let (number, none) = (index.number, HSIP_ESYS_NONE)
        try tpm.call(explaining: { [TPMCode.badAuth, TPMCode.authFail].contains($0) ? .owned : nil }) {
            unsafe tpm.calls.Esys_NV_UndefineSpace(
                tpm.context,
                HSIP_ESYS_OWNER,
                number,
                HSIP_ESYS_PASSWORD,
                none,
                none
            )
        }
    }

    private func find(_ auth: borrowing SecretBytes, _ tpm: TPM) throws(TPMError) -> TPMHandle {
        guard try tpm.has(handle) else { throw .counterGone }
        let index = try TPMHandle.persistent(handle, tpm)
        guard try index.name() == name else { throw .counterGone }
        try tpm.setAuth(auth, of: index)
        return index
    }

    private func read(
        _ index: borrowing TPMHandle,
        _ session: borrowing TPMHandle,
        _ tpm: TPM
    ) throws(TPMError) -> UInt64 {
        try TPMSession.encrypt(.none, session, tpm)
        var answer: UnsafeMutableRawPointer?
        let (number, authority, none) = (index.number, session.number, HSIP_ESYS_NONE)
        try tpm.call(explaining: Self.explain) {
            unsafe tpm.calls.Esys_NV_Read(tpm.context, number, number, authority, none, none, 8, 0, &answer)
        }
        var reader = TPMReader(unsafe try tpm.take(answer, tpm.calls.Tss2_MU_TPM2B_MAX_NV_BUFFER_Marshal))
        guard reader.number(UInt16.self) == 8, let value = reader.number(UInt64.self) else {
            throw .failed(code: 0)
        }
        return value
    }

    private static func explain(_ plain: UInt32) -> TPMError? {
        [TPMCode.badAuth, TPMCode.authFail, TPMCode.handle].contains(plain) ? .counterGone : nil
    }

    private static func define(_ handle: UInt32, _ auth: borrowing SecretBytes, _ tpm: TPM) throws(TPMError) {
        var area: [UInt8] = []
        area.append(wire: handle)
        area += .wire(0x000B)
        area.append(wire: attributes)
        area += .wire(0, 8)
        let calls = tpm.calls
        let first = unsafe try TPMStructure(try tpm.sized(auth), calls.Tss2_MU_TPM2B_DIGEST_Unmarshal)
        let second = unsafe try TPMStructure(area.sized, calls.Tss2_MU_TPM2B_NV_PUBLIC_Unmarshal)
        // The auth crosses the bus this once, encrypted to the storage key.
        let key = try StorageKey.choose(tpm)
        let session = try TPMSession.start(.hmac, saltedTo: key.handle.number, tpm)
        try TPMSession.encrypt(.both, session, tpm)
        var index: hsip_esys_handle = HSIP_ESYS_NONE
        let (number, none) = (session.number, HSIP_ESYS_NONE)
        let (authMemory, areaMemory) = unsafe (first.memory, second.memory)
        try tpm.call(explaining: { [TPMCode.badAuth, TPMCode.authFail].contains($0) ? .owned : nil }) {
            unsafe calls.Esys_NV_DefineSpace(
                tpm.context,
                HSIP_ESYS_OWNER,
                number,
                none,
                none,
                authMemory,
                areaMemory,
                &index
            )
        }
        _ = TPMHandle(index, tpm, .forget)
    }

    /// Whether an index is as `define` leaves it: the first increment sets one more attribute.
    private static func isLeftover(_ handle: UInt32, _ tpm: TPM) throws(TPMError) -> Bool {
        let index = try TPMHandle.persistent(handle, tpm)
        var answer: UnsafeMutableRawPointer?
        let (number, none) = (index.number, HSIP_ESYS_NONE)
        try tpm.call {
            unsafe tpm.calls.Esys_NV_ReadPublic(tpm.context, number, none, none, none, &answer, nil)
        }
        var reader = TPMReader(unsafe try tpm.take(answer, tpm.calls.Tss2_MU_TPM2B_NV_PUBLIC_Marshal))
        _ = reader.number(UInt16.self)
        guard reader.number(UInt32.self) == handle, reader.number(UInt16.self) == 0x000B,
            let found = reader.number(UInt32.self), reader.sized() == [], reader.number(UInt16.self) == 8
        else { return false }
        return found == attributes
    }
}
