internal import CTSSLoader
internal import RecordStore
internal import VaultCrypto

/// The storage key of a TPM, under which objects are sealed and to which sessions are salted.
struct StorageKey: ~Copyable {
    private static let place: UInt32 = 0x8100_0001

    let origin: TPM2Params.Parent
    let handle: TPMHandle
    /// The name of the public area of this key.
    let name: [UInt8]

    private init(_ origin: TPM2Params.Parent, _ handle: consuming TPMHandle) throws(TPMError) {
        self.origin = origin
        name = try handle.name()
        self.handle = handle
    }

    /// Finds the key that a slot names.
    ///
    /// - Throws: `otherTPM` if the key is missing or has another name; nothing was authorised then.
    static func find(_ origin: TPM2Params.Parent, name: [UInt8], _ tpm: TPM) throws(TPMError) -> StorageKey {
        let key: StorageKey
        switch origin {
        case .made: key = try make(tpm)
        case .persistent:
            guard try tpm.has(place) else { throw .otherTPM }
            key = try StorageKey(.persistent, .persistent(place, tpm))
        }
        guard key.name == name else { throw .otherTPM }
        return key
    }

    /// Chooses the key for a new slot: the persistent key if it is suitable, else a new primary key.
    ///
    /// - Throws: `owned` if the owner's password prevents that.
    static func choose(_ tpm: TPM) throws(TPMError) -> StorageKey {
        if try tpm.has(place) {
            let handle = try TPMHandle.persistent(place, tpm)
            if try isSuitable(handle, tpm) { return try StorageKey(.persistent, handle) }
        }
        return try make(tpm)
    }

    /// True for a storage key that never leaves the TPM and whose password is empty.
    ///
    /// noDA is required, because without it a try with the wrong password would count as a wrong PIN.
    private static func isSuitable(_ handle: borrowing TPMHandle, _ tpm: TPM) throws(TPMError) -> Bool {
        var content: UnsafeMutableRawPointer?
        let (number, none) = (handle.number, HSIP_ESYS_NONE)
        try tpm.call {
            unsafe tpm.calls.Esys_ReadPublic(tpm.context, number, none, none, none, &content, nil, nil)
        }
        let bytes = unsafe try tpm.take(content, tpm.calls.Tss2_MU_TPM2B_PUBLIC_Marshal)
        var reader = TPMReader(Array(bytes.dropFirst(2)))
        guard let type = reader.number(UInt16.self), let hash = reader.number(UInt16.self),
            let attributes = reader.number(UInt32.self)
        else { return false }
        // The name is computed from this public area, so that all checks are about the same key.
        guard try handle.name() == [0x00, 0x0B] + Hash.sha256(Array(bytes.dropFirst(2))) else { return false }
        let wanted: UInt32 = 0x0003_0412
        guard [0x0001, 0x0023].contains(type), hash == 0x000B, attributes & wanted == wanted else {
            return false
        }
        return try takesEmptyAuth(handle, tpm)
    }

    /// True if the password of the key is empty: an object is made under the key, and dropped.
    private static func takesEmptyAuth(_ handle: borrowing TPMHandle, _ tpm: TPM) throws(TPMError) -> Bool {
        do throws(TPMError) {
            let session = try TPMSession.start(.hmac, saltedTo: handle.number, tpm)
            _ = try TPM2Params.create(under: handle.number, session, [0], auth: [UInt8](), policy: [], tpm)
            return true
        } catch .authDiffers {
            return false
        } catch .pinWrong {
            return false
        }
    }

    /// ECC P-256, SHA-256, AES-128-CFB; fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, restricted, decrypt.
    private static var template: [UInt8] {
        var area = [UInt8].wire(0x0023, 0x000B)
        area.append(wire: 0x0003_0472 as UInt32)
        area += .wire(0)
        area += .wire(0x0006, 128, 0x0043, 0x0010, 0x0003, 0x0010)
        return (area + .wire(0, 0)).sized
    }

    private static func make(_ tpm: TPM) throws(TPMError) -> StorageKey {
        let calls = tpm.calls
        let sensitive = unsafe try TPMStructure(
            [UInt8].wire(0, 0).sized,
            calls.Tss2_MU_TPM2B_SENSITIVE_CREATE_Unmarshal
        )
        let area = unsafe try TPMStructure(template, calls.Tss2_MU_TPM2B_PUBLIC_Unmarshal)
        let outside = unsafe try TPMStructure([UInt8].wire(0), calls.Tss2_MU_TPM2B_DATA_Unmarshal)
        let registers = unsafe try TPMStructure([0, 0, 0, 0], calls.Tss2_MU_TPML_PCR_SELECTION_Unmarshal)
        var object: hsip_esys_handle = HSIP_ESYS_NONE
        var content: UnsafeMutableRawPointer?
        let none = HSIP_ESYS_NONE
        let (first, second) = unsafe (sensitive.memory, area.memory)
        let (third, fourth) = unsafe (outside.memory, registers.memory)
        try tpm.call(explaining: { [TPMCode.badAuth, TPMCode.authFail].contains($0) ? .owned : nil }) {
            unsafe calls.Esys_CreatePrimary(
                tpm.context,
                HSIP_ESYS_OWNER,
                HSIP_ESYS_PASSWORD,
                none,
                none,
                first,
                second,
                third,
                fourth,
                &object,
                &content,
                nil,
                nil,
                nil
            )
        }
        unsafe calls.Esys_Free(content)
        return try StorageKey(.made, TPMHandle(object, tpm, .flush))
    }
}
