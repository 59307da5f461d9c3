internal import CFIDOLoader
package import RecordStore
package import VaultCrypto

extension SecurityKey {
    /// Finds out whether this key made a credential, without a touch.
    ///
    /// - Throws: `gone`, `cancelled`, `outOfMemory`.
    package func match(_ credential: FIDO2Params, _ entropy: Entropy) throws(KeyError) -> KeyLook.Match {
        let request = try AssertionRequest(credential, entropy, calls)
        try unsafe request.set { unsafe calls.fido_assert_set_up($0, HSIP_FIDO_FALSE) }
        do throws(KeyError) {
            try Self.check(unsafe calls.fido_dev_get_assert(device, request.assertion, nil))
            return .yes
        } catch .otherKey {
            return .no
        } catch .gone {
            throw .gone
        } catch .cancelled {
            throw .cancelled
        } catch {
            return .perhaps
        }
    }

    /// Returns the secret of a credential, 32 bytes, after a touch.
    ///
    /// For a verified credential without a PIN, the key asks for the finger.
    ///
    /// - Throws: Every `KeyError`, except the errors of finding a key.
    package func secret(
        of credential: FIDO2Params,
        pin: Secret?,
        _ entropy: Entropy
    ) throws(KeyError) -> SecretBytes {
        let request = try AssertionRequest(credential, entropy, calls)
        try unsafe request.set { unsafe calls.fido_assert_set_extensions($0, HSIP_FIDO_HMAC_SECRET) }
        try unsafe request.set { assertion in
            unsafe credential.salt.withPointer { salt, count in
                unsafe calls.fido_assert_set_hmac_salt(assertion, salt, count)
            }
        }
        try unsafe request.set { unsafe calls.fido_assert_set_up($0, HSIP_FIDO_TRUE) }
        do throws(KeyError) {
            try ask(request, credential, pin)
        } catch .pinNeeded where !credential.isVerified {
            throw .verificationChanged
        } catch {
            throw explain(error)
        }
        return try request.secret(isVerified: credential.isVerified)
    }

    private func ask(
        _ request: AssertionRequest,
        _ credential: FIDO2Params,
        _ pin: Secret?
    ) throws(KeyError) {
        guard credential.isVerified else {
            return try Self.check(unsafe calls.fido_dev_get_assert(device, request.assertion, nil))
        }
        switch pin {
        case let pin?:
            try unsafe withPIN(pin) { pin throws(KeyError) in
                try Self.check(unsafe calls.fido_dev_get_assert(device, request.assertion, pin))
            }
        case .none:
            guard info.finger == true else { throw .pinNeeded }
            try unsafe request.set { unsafe calls.fido_assert_set_uv($0, HSIP_FIDO_TRUE) }
            try Self.check(unsafe calls.fido_dev_get_assert(device, request.assertion, nil))
        }
    }
}

/// One request for an assertion.
@safe final class AssertionRequest {
    let assertion: OpaquePointer
    private let calls: hsip_fido

    init(_ credential: FIDO2Params, _ entropy: Entropy, _ calls: hsip_fido) throws(KeyError) {
        guard let made = unsafe calls.fido_assert_new() else { throw .outOfMemory }
        self.calls = calls
        unsafe assertion = made
        let hash = entropy.bytes(32)
        try unsafe set { assertion in
            unsafe hash.withPointer { unsafe calls.fido_assert_set_clientdata_hash(assertion, $0, $1) }
        }
        try unsafe set { unsafe calls.fido_assert_set_rp($0, SecurityKeys.relyingParty) }
        try unsafe set { assertion in
            unsafe credential.credential.withPointer {
                unsafe calls.fido_assert_allow_cred(assertion, $0, $1)
            }
        }
    }

    func set(_ call: (OpaquePointer) -> Int32) throws(KeyError) {
        try SecurityKey.check(unsafe call(assertion))
    }

    /// Returns the secret of the response, after checks of its size, of the touch and of the user's verification.
    ///
    /// The library wipes its own copy when this request is freed.
    func secret(isVerified: Bool) throws(KeyError) -> SecretBytes {
        guard unsafe calls.fido_assert_count(assertion) == 1 else { throw .failed(code: -4) }
        let flags = unsafe calls.fido_assert_flags(assertion, 0)
        let size = unsafe calls.fido_assert_hmac_secret_len(assertion, 0)
        guard flags & 0x01 != 0 else { throw .failed(code: -8) }
        guard (flags & 0x04 != 0) == isVerified else { throw .verificationChanged }
        guard size == 32, let bytes = unsafe calls.fido_assert_hmac_secret_ptr(assertion, 0) else {
            throw .unfit
        }
        do throws(CryptoError) {
            return try SecretBytes(count: size) { target throws(CryptoError) in
                unsafe target.withUnsafeMutableBytes {
                    unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: size))
                }
            }
        } catch {
            throw .outOfMemory
        }
    }

    deinit {
        var ended: OpaquePointer? = unsafe assertion
        unsafe calls.fido_assert_free(&ended)
    }
}

extension [UInt8] {
    /// Passes the address and the number of the bytes.
    func withPointer<R>(_ body: (UnsafePointer<UInt8>, Int) -> R) -> R {
        // An empty array has no address, and the library would read NULL as a missing value.
        unsafe (isEmpty ? [0] : self).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array that is not empty") }
            return unsafe body(base, count)
        }
    }
}
