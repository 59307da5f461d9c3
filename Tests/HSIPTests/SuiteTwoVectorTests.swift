import HSIP
import Support
import Testing
import VaultCrypto

/// Known answers of suite 02, and of suite 01 before it: codes and keys are made again from the inputs of each case.
struct SuiteTwoVectorTests {
    @Test func `the vector file has its seven cases`() {
        #expect(ScheduleVector.suiteTwo.count == 7)
    }

    @Test(arguments: ScheduleVector.suiteTwo)
    func `offer and answer are made from their inputs, and found in text`(vector: ScheduleVector) throws {
        let inputs = vector["inputs"]
        let (seedA, seedB) = try (inputs.hex("idA_seed"), inputs.hex("idB_seed"))
        let header = { (kind: CodeKind, isFresh: Bool) in try inputs.header(kind, isFresh: isFresh) }
        let offer = try OfferCode.unsigned(
            header: header(.offer, try inputs.flag("fresh")),
            identityKey: Signing.publicKey(seed: seedA),
            ephemeralKey: KeyAgreement.publicKey(of: inputs.hex("eA")),
            name: inputs.string("nameA"),
            kemKey: vector.hex("kem_public")
        )
        let signature = try KeySchedule.signOffer(offer, seed: seedA)
        let made = try OfferCode(unsigned: offer, signature: signature)
        try check(.offer(made), is: vector["offer"])
        #expect(try made.kemKey == vector.hex("kem_public"))

        let answer = try AnswerCode.unsigned(
            header: header(.answer, false),
            offerRef: made.ref,
            identityKey: Signing.publicKey(seed: seedB),
            ephemeralKey: KeyAgreement.publicKey(of: inputs.hex("eB")),
            name: inputs.string("nameB"),
            kemCiphertext: vector.hex("kem_ciphertext")
        )
        let transcript = try vector.hex("epoch0", "transcript")
        let confirm = KeySchedule.confirmTag(
            confirmKey: try vector.hex("epoch0", "confirm"),
            transcript: transcript
        )
        let code = try AnswerCode(
            unsigned: answer,
            confirm: confirm,
            signature: KeySchedule.signAnswer(transcript: transcript, confirm: confirm, seed: seedB)
        )
        try check(.answer(code), is: vector["answer"])
    }

    @Test(arguments: ScheduleVector.suiteTwo)
    func `the first epoch has the keys of the vectors`(vector: ScheduleVector) throws {
        let (epoch, inputs) = (vector["epoch0"], vector["inputs"])
        let answer = try AnswerCode(bytes: try vector.hex("answer", "bytes"))
        let transcript = KeySchedule.pairingTranscript(
            offerHash: KeySchedule.offerHash(try vector.hex("offer", "bytes")),
            answerUnsigned: answer.unsignedBytes
        )
        #expect(try transcript == epoch.hex("transcript"))
        let prk = try KeySchedule.pairingSecret(
            th: transcript,
            sharedSecret: KeySchedule.sharedSecret(
                inputs.hex("eA"),
                with: KeyAgreement.publicKey(of: inputs.hex("eB"))
            ),
            kemSecret: try kemSecret(vector, inputs, epoch)
        )
        expect(prk, is: try epoch.hex("prk"))
        try epoch.checkKeys(EpochSecrets.derive(prk: prk))
    }

    @Test(arguments: ScheduleVector.suiteTwo)
    func `every rotation has the codes and keys of the vectors`(vector: ScheduleVector) throws {
        var before = vector["epoch0"]
        for rotation in try vector.list("rotations") {
            let (epoch, inputs) = (rotation["epoch"], rotation["inputs"])
            let rotate = try RotateCode(bytes: try rotation.hex("rotate", "bytes"))
            let accept = try AcceptCode(bytes: try rotation.hex("accept", "bytes"))
            try check(.rotate(rotate), is: rotation["rotate"])
            try check(.accept(accept), is: rotation["accept"])
            #expect(try rotate.kemKey == rotation.hex("kem_public"))
            #expect(try accept.kemCiphertext == rotation.hex("kem_ciphertext"))
            let again = try RotateCode.unsigned(
                header: rotate.header,
                ref: before.hex("ref"),
                epoch: rotate.epoch,
                attempt: UInt16(inputs.number("attempt")),
                ephemeralKey: KeyAgreement.publicKey(of: inputs.hex("eI")),
                kemKey: rotate.kemKey
            )
            #expect(again == rotate.unsignedBytes)
            let reply = try AcceptCode.unsigned(
                header: accept.header,
                ref: before.hex("ref"),
                epoch: rotate.epoch,
                rotateRef: rotate.rotateRef,
                ephemeralKey: KeyAgreement.publicKey(of: inputs.hex("eR")),
                kemCiphertext: accept.kemCiphertext
            )
            #expect(reply == accept.unsignedBytes)
            let transcript = KeySchedule.rotationTranscript(rotate: rotate.bytes, acceptUnsigned: reply)
            #expect(try transcript == epoch.hex("transcript"))
            let prk = try KeySchedule.rotationSecret(
                transcript: transcript,
                chain: before.hex("chain"),
                sharedSecret: KeySchedule.sharedSecret(
                    inputs.hex("eI"),
                    with: KeyAgreement.publicKey(of: inputs.hex("eR"))
                ),
                kemSecret: try kemSecret(rotation, inputs, epoch)
            )
            expect(prk, is: try epoch.hex("prk"))
            try epoch.checkKeys(EpochSecrets.derive(prk: prk))
            before = epoch
        }
    }

    /// The secret of ML-KEM-768 from both sides; nil in suite 01.
    private func kemSecret(
        _ exchange: ScheduleVector,
        _ inputs: ScheduleVector,
        _ epoch: ScheduleVector
    ) throws -> Secret? {
        guard try inputs.number("suite") == 2 else { return nil }
        let (seed, key) = try (inputs.hex("kem_seed"), exchange.hex("kem_public"))
        #expect(try MLKEM768.publicKey(of: seed) == key)
        let made = try MLKEM768.encapsulate(to: key, random: inputs.hex("kem_random"))
        #expect(try made.ciphertext == exchange.hex("kem_ciphertext"))
        expect(made.secret, is: try epoch.hex("kem_secret"))
        expect(try MLKEM768.decapsulate(made.ciphertext, seed: seed), is: try epoch.hex("kem_secret"))
        return made.secret
    }

    private func check(_ code: ExchangeCode, is part: ScheduleVector) throws {
        #expect(try code.bytes == part.hex("bytes"))
        #expect(try code.text == part.string("code"))
        #expect(try ExchangeCode(bytes: code.bytes) == code)
        #expect(try CodeText.codes(in: part.text("code")) == [code])
        // In one line of a quoted chat, in lower case.
        let quoted = "> see: " + (try part.string("code")).lowercased() + "."
        #expect(try CodeText.codes(in: Array(quoted.utf8)) == [code])
    }
}

extension ScheduleVector {
    fileprivate func header(_ kind: CodeKind, isFresh: Bool) throws -> CodeHeader {
        try CodeHeader(
            kind: kind,
            suite: #require(Suite(rawValue: UInt8(number("suite")))),
            isFresh: isFresh,
            issued: UInt64(number("issued")),
            ttlMinutes: UInt16(number("ttl")),
            lifeHours: UInt16(number("life_hours")),
            limit: UInt16(number("limit"))
        )
    }
}
