public import VaultCrypto

/// The secret halves of the one-time keys in an OFFER or ROTATE, kept while the code waits for its reply.
public struct OneTimeSecret: Sendable {
    /// The X25519 secret, 32 bytes.
    public let x25519: Secret
    /// The seed of ML-KEM-768, 64 bytes; nil in suite 01.
    public let kemSeed: Secret?

    /// Stored secrets.
    public init(x25519: Secret, kemSeed: Secret? = nil) {
        self.x25519 = x25519
        self.kemSeed = kemSeed
    }

    /// The suite of the code that these secrets belong to.
    public var suite: Suite { kemSeed == nil ? .one : .two }

    /// Makes new secrets, and the public keys for the code; the ML-KEM key is empty in suite 01.
    static func make(
        _ suite: Suite,
        _ entropy: Entropy
    ) throws(HSIPError) -> (secret: OneTimeSecret, publicKey: [UInt8], kemKey: [UInt8]) {
        do {
            let x25519 = Secret(try entropy.secret(32))
            let publicKey = try KeyAgreement.publicKey(of: x25519)
            guard suite == .two else { return (OneTimeSecret(x25519: x25519), publicKey, []) }
            let seed = Secret(try entropy.secret(MLKEM768.seedSize))
            let kemKey = try MLKEM768.publicKey(of: seed)
            return (OneTimeSecret(x25519: x25519, kemSeed: seed), publicKey, kemKey)
        } catch {
            throw HSIPError(error)
        }
    }

    /// The shared secrets from a reply.
    ///
    /// A changed ciphertext results in another secret: only the confirmation of the code reveals it.
    /// - Throws: `badKey` for a point of low order; `malformed` for a reply of another suite; `outOfMemory`.
    func agree(publicKey: [UInt8], ciphertext: [UInt8]) throws(HSIPError) -> SharedSecrets {
        guard ciphertext.isEmpty == (kemSeed == nil) else { throw .malformed }
        let shared = Secret(try KeySchedule.sharedSecret(x25519, with: publicKey))
        guard let kemSeed else { return SharedSecrets(x25519: shared, kem: nil) }
        do {
            let secret = try MLKEM768.decapsulate(ciphertext, seed: kemSeed)
            return SharedSecrets(x25519: shared, kem: Secret(secret))
        } catch {
            throw HSIPError(error)
        }
    }
}

/// The shared secrets of two codes' exchanges, from which the keys are extracted.
struct SharedSecrets {
    /// The X25519 secret, 32 bytes.
    let x25519: Secret
    /// The ML-KEM-768 secret, 32 bytes; nil in suite 01.
    let kem: Secret?

    /// The keys of a pairing's first epoch.
    func firstEpoch(transcript: [UInt8]) throws(HSIPError) -> EpochSecrets {
        let prk = try KeySchedule.pairingSecret(th: transcript, sharedSecret: x25519, kemSecret: kem)
        return try EpochSecrets.derive(prk: prk)
    }

    /// Answers an OFFER or ROTATE with a fresh key, and a ciphertext in suite 02.
    ///
    /// - Throws: `badKey` for a point of low order, one's own key, or an ML-KEM key that FIPS 203 section 7.2 refuses;
    ///   `outOfMemory`.
    static func reply(
        to publicKey: [UInt8],
        kemKey: [UInt8],
        _ entropy: Entropy
    ) throws(HSIPError) -> (secrets: SharedSecrets, publicKey: [UInt8], ciphertext: [UInt8]) {
        let own = try OneTimeSecret.make(.one, entropy)
        guard publicKey != own.publicKey else { throw .badKey }
        let shared = Secret(try KeySchedule.sharedSecret(own.secret.x25519, with: publicKey))
        guard !kemKey.isEmpty else { return (SharedSecrets(x25519: shared, kem: nil), own.publicKey, []) }
        do {
            let random = try entropy.secret(MLKEM768.secretSize)
            let made = try MLKEM768.encapsulate(to: kemKey, random: random)
            return (SharedSecrets(x25519: shared, kem: made.secret), own.publicKey, made.ciphertext)
        } catch {
            throw HSIPError(error)
        }
    }
}
