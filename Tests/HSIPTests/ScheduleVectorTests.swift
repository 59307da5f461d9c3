import HSIP
import Testing
import VaultCrypto

/// Known answers: every value of the exchange is computed again from the inputs of its case.
struct ScheduleVectorTests {
    @Test func `the vector file is there and has its three cases`() {
        #expect(ScheduleVector.all.count >= 3)
    }

    @Test(arguments: ScheduleVector.all)
    func `identity keys have the PeerIDs of the vectors`(vector: ScheduleVector) throws {
        for (side, seed) in [("A", "idA_seed"), ("B", "idB_seed")] {
            let key = try Signing.publicKey(seed: vector.hex("inputs", seed))
            #expect(try key == vector.hex("identity", "\(side)_pk"))
            let peer = try PeerID(publicKey: key)
            #expect(try peer.bytes == vector.hex("identity", "\(side)_peerid"))
            #expect(try peer.text == vector.string("identity", "\(side)_peerid_text"))
        }
        let other = try #require(PeerID(bytes: vector.hex("identity", "B_peerid")))
        #expect(try other.sessionID == vector.string("identity", "session_id_of_B"))
    }

    @Test(arguments: ScheduleVector.all)
    func `the first epoch has the keys of the vectors`(vector: ScheduleVector) throws {
        let answer = try vector.hex("answer", "bytes")
        let thO = KeySchedule.offerHash(try vector.hex("offer", "bytes"))
        #expect(Array(thO.prefix(16)) == Array(answer[14..<30]))
        #expect(try KeySchedule.offerRef(vector.hex("offer", "bytes")) == Array(answer[14..<30]))
        let th = KeySchedule.pairingTranscript(offerHash: thO, answerUnsigned: answer.dropLast(80))
        #expect(try th == vector.hex("epoch0", "transcript"))
        let shared = try KeySchedule.sharedSecret(
            vector.hex("inputs", "eA"),
            with: KeyAgreement.publicKey(of: vector.hex("inputs", "eB"))
        )
        try expect(shared, is: vector.hex("epoch0", "ss"))
        let prk = try KeySchedule.pairingSecret(th: th, sharedSecret: shared)
        try expect(prk, is: vector.hex("epoch0", "prk"))
        try vector["epoch0"].checkKeys(EpochSecrets.derive(prk: prk))
        let single = try HKDF.expand(prk, info: Label.single.bytes, count: 32)
        try expect(single, is: vector.hex("epoch0", "key_single"))
    }

    @Test(arguments: ScheduleVector.all)
    func `the second epoch has the keys of the vectors`(vector: ScheduleVector) throws {
        let rotate = try vector.hex("rotate", "bytes")
        let accept = try vector.hex("accept", "bytes")
        #expect(KeySchedule.rotateRef(rotate) == Array(accept[26..<42]))
        let transcript = KeySchedule.rotationTranscript(rotate: rotate, acceptUnsigned: accept.dropLast(80))
        #expect(try transcript == vector.hex("epoch1", "transcript"))
        let shared = try KeySchedule.sharedSecret(
            vector.hex("inputs", "rB"),
            with: KeyAgreement.publicKey(of: vector.hex("inputs", "rA"))
        )
        try expect(shared, is: vector.hex("epoch1", "ss"))
        let prk = try KeySchedule.rotationSecret(
            transcript: transcript,
            chain: vector.hex("epoch0", "chain"),
            sharedSecret: shared
        )
        try expect(prk, is: vector.hex("epoch1", "prk"))
        try vector["epoch1"].checkKeys(EpochSecrets.derive(prk: prk))
        let single = try HKDF.expand(prk, info: Label.single.bytes, count: 32)
        try expect(single, is: vector.hex("epoch1", "key_single"))
    }

    @Test(arguments: ScheduleVector.all)
    func `tags and signatures of pairing and rotation are those of the vectors`(vector: ScheduleVector) throws
    {
        let (seedA, seedB) = try (vector.hex("inputs", "idA_seed"), vector.hex("inputs", "idB_seed"))
        let (keyA, keyB) = try (vector.hex("identity", "A_pk"), vector.hex("identity", "B_pk"))

        let offer = try Signed(vector.hex("offer", "bytes"))
        #expect(try KeySchedule.signOffer(offer.body + offer.tag, seed: seedA) == offer.signature)
        try KeySchedule.verifyOffer(offer.signature, unsigned: offer.body + offer.tag, publicKey: keyA)

        let answer = try Signed(vector.hex("answer", "bytes"))
        let th = try vector.hex("epoch0", "transcript")
        let confirmKey = try vector.hex("epoch0", "confirm")
        #expect(KeySchedule.confirmTag(confirmKey: confirmKey, transcript: th) == answer.tag)
        try KeySchedule.checkConfirm(answer.tag, confirmKey: confirmKey, transcript: th)
        let sigB = try KeySchedule.signAnswer(transcript: th, confirm: answer.tag, seed: seedB)
        #expect(sigB == answer.signature)
        try KeySchedule.verifyAnswer(sigB, transcript: th, confirm: answer.tag, publicKey: keyB)

        let rotate = try Signed(vector.hex("rotate", "bytes"))
        let ref = try vector.hex("epoch0", "ref")
        let rotateKey = try vector.hex("epoch0", "rotate")
        let mac = KeySchedule.rotateMAC(rotateKey: rotateKey, role: .offerer, unsigned: rotate.body)
        #expect(mac == rotate.tag)
        try KeySchedule.checkRotateMAC(mac, rotateKey: rotateKey, role: .offerer, unsigned: rotate.body)
        let sigI = try KeySchedule.signRotate(ref: ref, unsigned: rotate.body, mac: mac, seed: seedA)
        #expect(sigI == rotate.signature)
        try KeySchedule.verifyRotate(sigI, ref: ref, unsigned: rotate.body, mac: mac, publicKey: keyA)

        let accept = try Signed(vector.hex("accept", "bytes"))
        let next = try vector.hex("epoch1", "transcript")
        let nextConfirm = try vector.hex("epoch1", "confirm")
        #expect(KeySchedule.confirmTag(confirmKey: nextConfirm, transcript: next) == accept.tag)
        let sigR = try KeySchedule.signAccept(transcript: next, confirm: accept.tag, seed: seedB)
        #expect(sigR == accept.signature)
        try KeySchedule.verifyAccept(sigR, transcript: next, confirm: accept.tag, publicKey: keyB)
    }

    @Test(arguments: ScheduleVector.all)
    func `both revokes have the tag and signature of the vectors`(vector: ScheduleVector) throws {
        let (seed, key) = try (vector.hex("inputs", "idA_seed"), vector.hex("identity", "A_pk"))
        let session = try Signed(vector.hex("revoke_session", "bytes"))
        let rotateKey = try vector.hex("epoch1", "rotate")
        let mac = KeySchedule.revokeMAC(rotateKey: rotateKey, role: .offerer, unsigned: session.body)
        #expect(mac == session.tag)
        try KeySchedule.checkRevokeMAC(mac, rotateKey: rotateKey, role: .offerer, unsigned: session.body)
        #expect(try KeySchedule.signRevoke(session.body + mac, seed: seed) == session.signature)
        try KeySchedule.verifyRevoke(session.signature, unsigned: session.body + mac, publicKey: key)

        let identity = try Signed(vector.hex("revoke_identity", "bytes"))
        let unsigned = identity.body + identity.tag
        #expect(try KeySchedule.signRevoke(unsigned, seed: seed) == identity.signature)
        try KeySchedule.verifyRevoke(identity.signature, unsigned: unsigned, publicKey: key)
    }

    @Test(arguments: ScheduleVector.all)
    func `safety number, VERIFY and emoji are those of the vectors`(vector: ScheduleVector) throws {
        let (keyA, keyB) = try (vector.hex("identity", "A_pk"), vector.hex("identity", "B_pk"))
        #expect(try SafetyNumber(keyA, keyB).text == vector.string("safety_number"))
        let verify = try VerifyCode(senderKey: keyA, receiverKey: keyB)
        #expect(try verify.bytes == vector.hex("verify", "bytes"))

        let secret = try HKDF.expand(vector.hex("epoch0", "prk"), info: Label.emoji.bytes, count: 32)
        let indices = try Emoji.indices(emojiSecret: secret, transcript: vector.hex("epoch0", "transcript"))
        #expect(try indices == vector.numbers("epoch0", "emoji_index"))
        #expect(try Emoji.pictures(of: indices) == vector.string("epoch0", "emoji"))

        let ephemerals = try ["eA", "eB"].map { try KeyAgreement.publicKey(of: vector.hex("inputs", $0)) }
        let legacy = try vector.numbers("legacy_emoji_of_eA_eB")
        #expect(try Emoji.legacyFingerprint(ephemerals[0], ephemerals[1]) == legacy)
        #expect(try Emoji.legacyFingerprint(ephemerals[1], ephemerals[0]) == legacy)
    }
}

/// A code in its three parts: body, the 16 bytes before the signature, the signature.
private struct Signed {
    let body: [UInt8]
    let tag: [UInt8]
    let signature: [UInt8]

    init(_ code: [UInt8]) {
        body = code.dropLast(80)
        tag = Array(code.dropLast(64).suffix(16))
        signature = code.suffix(64)
    }
}
