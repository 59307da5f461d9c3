public import VaultCrypto

/// The formulas of the exchange: what is hashed, expanded and confirmed (Schemas/hsip-xc1.md section 4).
///
/// All inputs are the exact bytes of the codes. «Unsigned» means: without the closing tag and signature, the
/// last 80 bytes of an answer, rotate or accept. Signatures and MACs are in their own files.
public enum KeySchedule {
    /// thO, the hash of a whole offer with its signature: 32 bytes.
    public static func offerHash(_ offer: [UInt8]) -> [UInt8] {
        Hash.sha256(Label.offer.bytes + offer)
    }

    /// The name of an offer in its answer: the first 16 bytes of thO.
    public static func offerRef(_ offer: [UInt8]) -> [UInt8] {
        Array(offerHash(offer).prefix(16))
    }

    /// th, the hash of both codes of a pairing.
    ///
    /// - Parameters:
    ///   - offerHash: thO.
    ///   - answerUnsigned: the answer without its last 80 bytes.
    /// - Returns: 32 bytes; the first 16 name the pairing.
    public static func pairingTranscript(offerHash: [UInt8], answerUnsigned: [UInt8]) -> [UInt8] {
        Hash.sha256(Label.transcript.bytes + offerHash + Hash.sha256(answerUnsigned))
    }

    /// X25519 of an own ephemeral secret and the peer's public key, 32 bytes each.
    ///
    /// - Throws: `badKey` for a point of low order or an all-zero result; `outOfMemory`.
    public static func sharedSecret(
        _ secret: borrowing some ByteSource & ~Copyable,
        with publicKey: [UInt8]
    ) throws(HSIPError) -> SecretBytes {
        do { return try KeyAgreement.sharedSecret(secret, with: publicKey) } catch { throw HSIPError(error) }
    }

    /// prk of epoch 0: HKDF-Extract with th as salt, over the secrets of X25519 and, in suite 02, ML-KEM-768.
    ///
    /// Both have 32 bytes, and th covers both exchanges: the key cannot be computed without both secrets.
    ///
    /// - Returns: 32 bytes.
    /// - Throws: `outOfMemory`.
    public static func pairingSecret(
        th: [UInt8],
        sharedSecret: borrowing some ByteSource & ~Copyable,
        kemSecret: Secret? = nil
    ) throws(HSIPError) -> SecretBytes {
        do {
            guard let kemSecret else { return try HKDF.extract(salt: th, keyMaterial: sharedSecret) }
            let material = try SecretBytes.joined(sharedSecret, kemSecret)
            return try HKDF.extract(salt: th, keyMaterial: material)
        } catch {
            throw HSIPError(error)
        }
    }

    /// The bytes in an answer or accept that prove its author knows the new keys.
    ///
    /// - Parameters:
    ///   - confirmKey: D(confirm) of the new epoch.
    ///   - transcript: th of the pairing, th' of a rotation.
    /// - Returns: HMAC-SHA256 of the transcript, cut to 16 bytes.
    public static func confirmTag(
        confirmKey: borrowing some ByteSource & ~Copyable,
        transcript: [UInt8]
    ) -> [UInt8] {
        Array(HMACSHA256.tag(transcript, key: confirmKey).prefix(16))
    }

    /// Checks a confirmation tag in constant time.
    ///
    /// - Throws: `confirmFailed`.
    public static func checkConfirm(
        _ tag: [UInt8],
        confirmKey: borrowing some ByteSource & ~Copyable,
        transcript: [UInt8]
    ) throws(HSIPError) {
        let expected = confirmTag(confirmKey: confirmKey, transcript: transcript)
        guard ConstantTime.equal(tag, expected) else { throw .confirmFailed }
    }

    /// The name of a whole rotate in its accept: 16 bytes.
    public static func rotateRef(_ rotate: [UInt8]) -> [UInt8] {
        Array(Hash.sha256(Label.rotateRef.bytes + rotate).prefix(16))
    }

    /// th', the hash of both codes of a rotation.
    ///
    /// - Parameters:
    ///   - rotate: the whole rotate with its signature.
    ///   - acceptUnsigned: the accept without its last 80 bytes.
    /// - Returns: 32 bytes.
    public static func rotationTranscript(rotate: [UInt8], acceptUnsigned: [UInt8]) -> [UInt8] {
        Hash.sha256(Label.rotateTranscript.bytes + Hash.sha256(rotate) + Hash.sha256(acceptUnsigned))
    }

    /// prk' of the next epoch: HKDF-Extract with th' as salt, over the old chain, the fresh secret of X25519 and, in
    /// suite 02, the secret of ML-KEM-768.
    ///
    /// - Returns: 32 bytes.
    /// - Throws: `outOfMemory`.
    public static func rotationSecret(
        transcript: [UInt8],
        chain: borrowing some ByteSource & ~Copyable,
        sharedSecret: borrowing some ByteSource & ~Copyable,
        kemSecret: Secret? = nil
    ) throws(HSIPError) -> SecretBytes {
        do {
            let material = try SecretBytes.joined(chain, sharedSecret)
            guard let kemSecret else { return try HKDF.extract(salt: transcript, keyMaterial: material) }
            let whole = try SecretBytes.joined(material, kemSecret)
            return try HKDF.extract(salt: transcript, keyMaterial: whole)
        } catch {
            throw HSIPError(error)
        }
    }
}

/// A person's role in a pairing, for the life of that pairing; a rotation never swaps the roles.
public enum Role: UInt8, CaseIterable, Sendable, Codable {
    /// Made the offer; sends with the key i2r.
    case offerer = 0
    /// Made the answer; sends with the key r2i.
    case answerer = 1

    /// The byte in the MACs of rotate and revoke: it stops a code from being reflected to its author.
    public var byte: UInt8 { rawValue }

    /// The other side.
    public var peer: Role { self == .offerer ? .answerer : .offerer }
}

/// Domain separation: the labels in the hashes, MACs, signatures and key derivations of the protocol.
///
/// L(x) = ASCII `HSIP-XC1/` ‖ x ‖ 00 (Schemas/hsip-xc1.md section 4). The closing zero byte makes the labels
/// prefix-free, so no signature made for one kind of code serves for another.
public enum Label: String, CaseIterable, Sendable {
    case sigOffer = "sig-offer"
    case sigAnswer = "sig-answer"
    case sigRotate = "sig-rotate"
    case sigAccept = "sig-accept"
    case sigRevoke = "sig-revoke"
    case offer, transcript, rotate, accept, revoke
    case rotateRef = "rotate-ref"
    case rotateTranscript = "rotate-transcript"
    case i2r, r2i, single, confirm, chain, ref, emoji
    case nonceI2R = "nonce-i2r"
    case nonceR2I = "nonce-r2i"
    case nonceLegacy = "nonce-legacy"
    case fileKey = "file-key"
    case safetyNumber = "safety-number"
    case legacy

    /// The label as it is hashed.
    public var bytes: [UInt8] { Array("HSIP-XC1/".utf8) + Array(rawValue.utf8) + [0] }
}
