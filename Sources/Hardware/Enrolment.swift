internal import CFIDOLoader
package import RecordStore
package import VaultCrypto

/// A new credential, with the secret that the key returns for it.
package struct Enrolment: Sendable {
    /// The parameters that a slot keeps.
    package let params: FIDO2Params
    /// The secret, 32 bytes.
    package let secret: Secret
}

extension SecurityKey {
    /// Makes a credential and its secret, with two touches.
    ///
    /// The key stores nothing, so an interrupted call leaves no trace.
    ///
    /// With `touchOnly` the secret needs no PIN, even if the key has one.
    ///
    /// - Throws: Every `KeyError`, except the errors of finding a key; `pinNeeded` before the first touch.
    package func enrol(
        touchOnly: Bool,
        pin: Secret?,
        _ entropy: Entropy
    ) throws(KeyError) -> Enrolment {
        let isVerified = info.canVerify && !touchOnly
        if isVerified, info.pin == true, info.finger != true, pin == nil { throw .pinNeeded }
        let made = try makeCredential(needsPIN: isVerified || info.verifiesAlways, pin, entropy)
        let credential = FIDO2Params(
            salt: entropy.bytes(FIDO2Params.saltSize),
            model: made.model,
            credential: made.identifier,
            isVerified: isVerified
        )
        guard let credential else { throw .unfit }
        return Enrolment(
            params: credential,
            secret: Secret(try secret(of: credential, pin: pin, entropy))
        )
    }

    private func makeCredential(
        needsPIN: Bool,
        _ pin: Secret?,
        _ entropy: Entropy
    ) throws(KeyError) -> (identifier: [UInt8], model: [UInt8]) {
        let request = try CredentialRequest(entropy, calls)
        do throws(KeyError) {
            switch (needsPIN, pin) {
            case (true, let pin?):
                try unsafe withPIN(pin) { pin throws(KeyError) in
                    try Self.check(unsafe calls.fido_dev_make_cred(device, request.credential, pin))
                }
            default:
                try Self.check(unsafe calls.fido_dev_make_cred(device, request.credential, nil))
            }
        } catch .pinNeeded where !needsPIN {
            // CTAP 2.0 needs the PIN to make a credential, even if its secret needs none.
            guard let pin else { throw .pinNeeded }
            try unsafe withPIN(pin) { pin throws(KeyError) in
                let code = unsafe calls.fido_dev_make_cred(device, request.credential, pin)
                guard code == 0 else { throw explain(KeyError(code: code)) }
            }
        } catch {
            throw explain(error)
        }
        return request.made
    }
}

/// One request for a credential: non-resident, ES256, with hmac-secret, without credProtect.
@safe final class CredentialRequest {
    let credential: OpaquePointer
    private let calls: hsip_fido

    init(_ entropy: Entropy, _ calls: hsip_fido) throws(KeyError) {
        guard let made = unsafe calls.fido_cred_new() else { throw .outOfMemory }
        self.calls = calls
        unsafe credential = made
        let (hash, user) = (entropy.bytes(32), entropy.bytes(16))
        try SecurityKey.check(unsafe calls.fido_cred_set_type(made, HSIP_FIDO_ES256))
        try SecurityKey.check(
            unsafe hash.withPointer { unsafe calls.fido_cred_set_clientdata_hash(made, $0, $1) }
        )
        try SecurityKey.check(unsafe calls.fido_cred_set_rp(made, SecurityKeys.relyingParty, "HSIP Vault"))
        try SecurityKey.check(
            unsafe user.withPointer { unsafe calls.fido_cred_set_user(made, $0, $1, "vault", nil, nil) }
        )
        try SecurityKey.check(unsafe calls.fido_cred_set_extensions(made, HSIP_FIDO_HMAC_SECRET))
    }

    /// The identifier and the model in the response.
    var made: (identifier: [UInt8], model: [UInt8]) {
        let identifier = unsafe UnsafeBufferPointer(
            start: calls.fido_cred_id_ptr(credential),
            count: calls.fido_cred_id_ptr(credential) == nil ? 0 : calls.fido_cred_id_len(credential)
        )
        let model = unsafe UnsafeBufferPointer(
            start: calls.fido_cred_aaguid_ptr(credential),
            count: calls.fido_cred_aaguid_ptr(credential) == nil ? 0 : calls.fido_cred_aaguid_len(credential)
        )
        return unsafe (Array(identifier), model.count == 16 ? Array(model) : Array(repeating: 0, count: 16))
    }

    deinit {
        var ended: OpaquePointer? = unsafe credential
        unsafe calls.fido_cred_free(&ended)
    }
}
