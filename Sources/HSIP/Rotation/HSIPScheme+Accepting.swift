internal import VaultCrypto

extension HSIPScheme {
    /// Answers a ROTATE: the new epoch needs the old chain, a fresh exchange and my signature.
    public static func accept(
        _ rotate: RotateCode,
        under keys: EpochKeys,
        terms: Terms,
        party: Party
    ) throws(HSIPError) -> (accept: AcceptCode, keys: EpochKeys, name: [UInt8]) {
        guard let chain = keys.chain else { throw .lapsed }
        let fresh = try SharedSecrets.reply(to: rotate.ephemeralKey, kemKey: rotate.kemKey, party.entropy)
        let unsigned = try AcceptCode.unsigned(
            header: try CodeHeader(kind: .accept, suite: rotate.suite, terms: terms),
            ref: rotate.ref,
            epoch: rotate.epoch,
            rotateRef: rotate.rotateRef,
            ephemeralKey: fresh.publicKey,
            kemCiphertext: fresh.ciphertext
        )
        let transcript = KeySchedule.rotationTranscript(rotate: rotate.bytes, acceptUnsigned: unsigned)
        let secrets = try derive(transcript: transcript, chain: chain, fresh.secrets)
        let confirm = KeySchedule.confirmTag(confirmKey: secrets.confirm, transcript: transcript)
        let signature = try KeySchedule.signAccept(
            transcript: transcript,
            confirm: confirm,
            seed: party.identity.seed
        )
        let code = try AcceptCode(unsigned: unsigned, confirm: confirm, signature: signature)
        return (code, EpochKeys(secrets, role: party.role), secrets.ref)
    }

    /// Finishes my own ROTATE with its ACCEPT.
    public static func finish(
        _ accept: AcceptCode,
        of rotate: RotateCode,
        ephemeral: OneTimeSecret,
        under keys: EpochKeys,
        party: Party
    ) throws(HSIPError) -> (keys: EpochKeys, name: [UInt8]) {
        guard let chain = keys.chain else { throw .lapsed }
        guard accept.ephemeralKey != rotate.ephemeralKey else { throw .badKey }
        let transcript = KeySchedule.rotationTranscript(
            rotate: rotate.bytes,
            acceptUnsigned: accept.unsignedBytes
        )
        try KeySchedule.verifyAccept(
            accept.signature,
            transcript: transcript,
            confirm: accept.confirm,
            publicKey: party.peerKey
        )
        let shared = try ephemeral.agree(publicKey: accept.ephemeralKey, ciphertext: accept.kemCiphertext)
        let secrets = try derive(transcript: transcript, chain: chain, shared)
        do {
            try KeySchedule.checkConfirm(
                accept.confirm,
                confirmKey: secrets.confirm,
                transcript: transcript
            )
        } catch .confirmFailed {
            // In a rotation, a failed confirm' and a failed signature throw the same error (section 8).
            throw .badSignature
        }
        return (EpochKeys(secrets, role: party.role), secrets.ref)
    }

    private static func derive(
        transcript: [UInt8],
        chain: Secret,
        _ shared: SharedSecrets
    ) throws(HSIPError) -> EpochSecrets {
        let prk = try KeySchedule.rotationSecret(
            transcript: transcript,
            chain: chain,
            sharedSecret: shared.x25519,
            kemSecret: shared.kem
        )
        return try EpochSecrets.derive(prk: prk)
    }
}
