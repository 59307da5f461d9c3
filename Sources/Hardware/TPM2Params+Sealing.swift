internal import CTSSLoader
package import RecordStore
package import VaultCrypto

/// Sealing of 32 bytes that only one TPM can unseal.
extension TPM2Params {
    /// Seals 32 bytes, and unseals them as a check.
    ///
    /// With a PIN, `auth` is 32 bytes made of it whose last byte is not 0; without a PIN it is empty. `registers` has a bit for
    /// each register of the SHA-256 bank, 0 to 23.
    ///
    /// - Throws: `owned`, `lockout`, `busy`, `failed`.
    package static func seal(
        _ secret: borrowing some ByteSource & ~Copyable,
        auth: borrowing some ByteSource & ~Copyable,
        registers: UInt32,
        _ tpm: TPM
    ) throws(TPMError) -> TPM2Params {
        guard secret.count == HardwareSecret.size, registers >> 24 == 0 else {
            throw .failed(code: TPMCode.value)
        }
        let key = try StorageKey.choose(tpm)
        let policy = registers == 0 ? [] : try PCRPolicy.digest(registers, pin: auth.count > 0, tpm)
        let session = try TPMSession.start(.hmac, saltedTo: key.handle.number, tpm)
        let made = try create(under: key.handle.number, session, secret, auth: auth, policy: policy, tpm)
        let object = TPM2Params(
            parent: key.origin,
            parentName: key.name,
            registers: registers,
            publicArea: made.publicArea,
            privateArea: made.privateArea,
            hasPIN: auth.count > 0
        )
        guard let object, ConstantTime.equal(try object.open(auth: auth, key, session, tpm), secret) else {
            throw .failed(code: 0)
        }
        return object
    }

    /// Unseals the bytes.
    ///
    /// - Throws: `otherTPM`, `pinWrong`, `lockout`, `stateDiffers`, `authDiffers`, `busy`, `failed`.
    package func open(auth: borrowing some ByteSource & ~Copyable, _ tpm: TPM) throws(TPMError) -> SecretBytes
    {
        let key = try StorageKey.find(parent, name: parentName, tpm)
        let session = try TPMSession.start(.hmac, saltedTo: key.handle.number, tpm)
        return try open(auth: auth, key, session, tpm)
    }

    /// Checks that this TPM has the storage key under which the bytes were sealed; nothing is authorised.
    ///
    /// - Throws: `otherTPM`, `busy`, `failed`.
    func find(_ tpm: TPM) throws(TPMError) { _ = try StorageKey.find(parent, name: parentName, tpm) }

    private func open(
        auth: borrowing some ByteSource & ~Copyable,
        _ key: borrowing StorageKey,
        _ session: borrowing TPMHandle,
        _ tpm: TPM
    ) throws(TPMError) -> SecretBytes {
        guard isWellFormed else { throw .otherTPM }
        // If a changed flag hid the PIN of a slot, the attempt would cost a try that all users of the TPM share.
        guard wantsPIN == (auth.count > 0) else { throw .authDiffers }
        let object = try load(under: key.handle.number, session, tpm)
        try tpm.setAuth(auth, of: object)
        if registers == 0 {
            return try unseal(object, session, tpm)
        }
        let policy = try TPMSession.start(.policy, saltedTo: key.handle.number, tpm)
        try PCRPolicy.apply(registers, pin: auth.count > 0, to: policy, tpm)
        return try unseal(object, policy, tpm)
    }

    private func load(
        under parent: hsip_esys_handle,
        _ session: borrowing TPMHandle,
        _ tpm: TPM
    ) throws(TPMError) -> TPMHandle {
        try TPMSession.encrypt(.both, session, tpm)
        let first = unsafe try Self.structure(privateArea, tpm.calls.Tss2_MU_TPM2B_PRIVATE_Unmarshal)
        let second = unsafe try Self.structure(publicArea, tpm.calls.Tss2_MU_TPM2B_PUBLIC_Unmarshal)
        var object: hsip_esys_handle = HSIP_ESYS_NONE
        let (session, none) = (session.number, HSIP_ESYS_NONE)
        let (privateMemory, publicMemory) = unsafe (first.memory, second.memory)
        try tpm.call {
            unsafe tpm.calls.Esys_Load(
                tpm.context,
                parent,
                session,
                none,
                none,
                privateMemory,
                publicMemory,
                &object
            )
        }
        return TPMHandle(object, tpm, .flush)
    }

    /// True if both blobs have the form that `create` makes, apart from their hashes and the encrypted part.
    ///
    /// The library has been seen to damage its memory over other public areas, so it never gets one.
    private var isWellFormed: Bool {
        guard (3...Self.largestBlob).contains(privateArea.count), publicArea.count <= Self.largestBlob else {
            return false
        }
        var sealed = TPMReader(privateArea)
        guard sealed.sized()?.count == privateArea.count - 2 else { return false }
        let policy = registers == 0 ? [] : [UInt8](repeating: 0, count: 32)
        var shape = Self.area(attributes: 0, policy: policy, unique: [UInt8](repeating: 0, count: 32)).sized
        guard publicArea.count == shape.count else { return false }
        guard attributes & ~Self.withoutPIN == Self.attributes(policy: policy) else { return false }
        let hashes = [12..<12 + policy.count, shape.count - 32..<shape.count]
        for place in [6..<10] + hashes { shape.replaceSubrange(place, with: publicArea[place]) }
        return shape == publicArea
    }

    /// The attributes of a well-formed public area.
    private var attributes: UInt32 { publicArea[6..<10].reduce(0) { $0 << 8 | UInt32($1) } }

    /// True if the object needs a PIN: only then does the TPM count wrong PINs.
    private var wantsPIN: Bool { attributes & Self.withoutPIN == 0 }

    /// noDA: wrong PINs for other objects do not block this one.
    private static let withoutPIN: UInt32 = 0x400

    /// fixedTPM, fixedParent; also userWithAuth if there is no policy.
    private static func attributes(policy: [UInt8]) -> UInt32 { policy.isEmpty ? 0x52 : 0x12 }

    /// TPMT_PUBLIC: KEYEDHASH, SHA-256, no scheme.
    private static func area(attributes: UInt32, policy: [UInt8], unique: [UInt8]) -> [UInt8] {
        var area = [UInt8].wire(0x0008, 0x000B)
        area.append(wire: attributes)
        return area + policy.sized + .wire(0x0010) + unique.sized
    }

    /// Parses a blob of a slot; a malformed blob was changed, and is treated like an object that the storage key refuses.
    private static func structure(
        _ bytes: [UInt8],
        _ unmarshal: TPMStructure.Unmarshal
    ) throws(TPMError) -> TPMStructure {
        do throws(TPMError) { return unsafe try TPMStructure(bytes, unmarshal) } catch { throw .otherTPM }
    }

    private func unseal(
        _ object: borrowing TPMHandle,
        _ session: borrowing TPMHandle,
        _ tpm: TPM
    ) throws(TPMError) -> SecretBytes {
        try TPMSession.encrypt(.answer, session, tpm)
        var answer: UnsafeMutableRawPointer?
        let (item, session, none) = (object.number, session.number, HSIP_ESYS_NONE)
        do throws(TPMError) {
            try tpm.call(explaining: Self.explain) {
                unsafe tpm.calls.Esys_Unseal(tpm.context, item, session, none, none, &answer)
            }
        } catch .pinWrong {
            // All users of the TPM share the count, so it is read afterwards.
            throw .pinWrong(triesLeft: try? tpm.lockout().triesLeft)
        }
        let secret = unsafe try tpm.takeSecret(answer, tpm.calls.Tss2_MU_TPM2B_SENSITIVE_DATA_Marshal)
        guard secret.count == HardwareSecret.size else { throw .failed(code: 0) }
        return secret
    }

    private static func explain(_ plain: UInt32) -> TPMError? {
        switch plain {
        case TPMCode.authFail: .pinWrong(triesLeft: nil)
        case TPMCode.badAuth: .authDiffers
        default: nil
        }
    }

    /// Makes an object, with noDA if it has no auth.
    static func create(
        under parent: hsip_esys_handle,
        _ session: borrowing TPMHandle,
        _ secret: borrowing some ByteSource & ~Copyable,
        auth: borrowing some ByteSource & ~Copyable,
        policy: [UInt8],
        _ tpm: TPM
    ) throws(TPMError) -> (publicArea: [UInt8], privateArea: [UInt8]) {
        try TPMSession.encrypt(.both, session, tpm)
        let attributes = Self.attributes(policy: policy) | (auth.count == 0 ? withoutPIN : 0)
        let area = Self.area(attributes: attributes, policy: policy, unique: [])
        let calls = tpm.calls
        let content: SecretBytes
        do { content = try SecretBytes.joined(try tpm.sized(auth), try tpm.sized(secret)) } catch {
            throw .outOfMemory
        }
        let first = unsafe try TPMStructure(
            try tpm.sized(content),
            calls.Tss2_MU_TPM2B_SENSITIVE_CREATE_Unmarshal
        )
        let second = unsafe try TPMStructure(area.sized, calls.Tss2_MU_TPM2B_PUBLIC_Unmarshal)
        let third = unsafe try TPMStructure([UInt8].wire(0), calls.Tss2_MU_TPM2B_DATA_Unmarshal)
        let fourth = unsafe try TPMStructure([0, 0, 0, 0], calls.Tss2_MU_TPML_PCR_SELECTION_Unmarshal)
        var privateArea: UnsafeMutableRawPointer?
        var publicArea: UnsafeMutableRawPointer?
        let (session, none) = (session.number, HSIP_ESYS_NONE)
        let memories = unsafe (first.memory, second.memory, third.memory, fourth.memory)
        try tpm.call(explaining: explain) {
            unsafe calls.Esys_Create(
                tpm.context,
                parent,
                session,
                none,
                none,
                memories.0,
                memories.1,
                memories.2,
                memories.3,
                &privateArea,
                &publicArea,
                nil,
                nil,
                nil
            )
        }
        let sealed = unsafe try tpm.take(privateArea, calls.Tss2_MU_TPM2B_PRIVATE_Marshal)
        return (unsafe try tpm.take(publicArea, calls.Tss2_MU_TPM2B_PUBLIC_Marshal), sealed)
    }
}
