public import VaultCrypto

extension SuiteOne {
    /// Answers a ROTATE: the new epoch needs the old chain, a fresh exchange and my signature.
    public static func accept(
        _ rotate: RotateCode,
        under keys: EpochKeys,
        terms: Terms,
        party: Party
    ) throws(HSIPError) -> (accept: AcceptCode, keys: EpochKeys, name: [UInt8]) {
        guard let chain = keys.chain else { throw .lapsed }
        let ephemeral = try oneTimeKey(party.entropy)
        guard rotate.ephemeralKey != ephemeral.publicKey else { throw .badKey }
        let unsigned = try AcceptCode.unsigned(
            header: try CodeHeader(kind: .accept, terms: terms),
            ref: rotate.ref,
            epoch: rotate.epoch,
            rotateRef: rotate.rotateRef,
            ephemeralKey: ephemeral.publicKey
        )
        let transcript = KeySchedule.rotationTranscript(rotate: rotate.bytes, acceptUnsigned: unsigned)
        let secrets = try derive(
            transcript: transcript,
            chain: chain,
            secret: ephemeral.secret,
            peer: rotate.ephemeralKey
        )
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
        ephemeral: Secret,
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
        let secrets = try derive(
            transcript: transcript,
            chain: chain,
            secret: ephemeral,
            peer: accept.ephemeralKey
        )
        do {
            try KeySchedule.checkConfirm(
                accept.confirm,
                confirmKey: secrets.confirm,
                transcript: transcript
            )
        } catch .confirmFailed {
            // For a rotation a failed confirm' and a failed signature are one refusal (section 8).
            throw .badSignature
        }
        return (EpochKeys(secrets, role: party.role), secrets.ref)
    }

    private static func derive(
        transcript: [UInt8],
        chain: Secret,
        secret: Secret,
        peer: [UInt8]
    ) throws(HSIPError) -> EpochSecrets {
        let shared = try KeySchedule.sharedSecret(secret, with: peer)
        let prk = try KeySchedule.rotationSecret(
            transcript: transcript,
            chain: chain,
            sharedSecret: shared
        )
        return try EpochSecrets.derive(prk: prk)
    }
}
