import HSIP
import Testing
import VaultCrypto

struct CodeVectorTests {
    private typealias Vector = CodeVector

    private func hex(_ text: String) throws -> [UInt8] {
        try #require(Hex.decode(text))
    }

    private func publicKey(_ secret: String) throws -> [UInt8] {
        try KeyAgreement.publicKey(of: try hex(secret))
    }

    private func header(_ kind: CodeKind, _ inputs: CodeVector.Inputs) throws -> CodeHeader {
        try CodeHeader(
            kind: kind,
            issued: inputs.issued,
            ttlMinutes: inputs.ttl,
            lifeHours: inputs.life_hours,
            limit: inputs.limit
        )
    }

    @Test func `the known answers are there`() {
        #expect(CodeVector.all.count >= 3)
        #expect(SampleCode.all.count == CodeVector.all.count * 7)
        #expect(SampleCode.suiteTwo.map(\.text.count) == [2_149, 2_044, 2_137, 2_006])
    }

    @Test(arguments: SampleCode.all)
    func `bytes and text say the same`(sample: SampleCode) throws {
        let code = try ExchangeCode(bytes: sample.bytes)
        #expect(code.kind == sample.kind)
        #expect(code.bytes == sample.bytes)
        #expect(code.text == sample.text)
        #expect(try CodeText.codes(in: Array(sample.text.utf8)) == [code])
        #expect(
            code.header?.bytes ?? Array(sample.bytes.prefix(2))
                == Array(sample.bytes.prefix(code.header == nil ? 2 : 14))
        )
    }

    @Test(arguments: CodeVector.all)
    func `an offer holds its inputs`(vector: CodeVector) throws {
        let (values, inputs) = (vector.values, vector.values.inputs)
        let offer = try OfferCode(bytes: try hex(values.offer.bytes))
        #expect(offer.header == (try header(.offer, inputs)))
        #expect(offer.identityKey == (try hex(values.identity.A_pk)))
        #expect(offer.ephemeralKey == (try publicKey(inputs.eA)))
        #expect(offer.name == inputs.nameA)
        #expect(offer.peerID.hex == values.identity.A_peerid)
        #expect(offer.peerID.text == values.identity.A_peerid_text)
        #expect(offer.text == values.offer.code)
        try offer.verifySignature()
    }

    @Test(arguments: CodeVector.all)
    func `an offer made from its inputs is the known one`(vector: CodeVector) throws {
        let (values, inputs) = (vector.values, vector.values.inputs)
        let seed = try hex(inputs.idA_seed)
        let unsigned = try OfferCode.unsigned(
            header: try header(.offer, inputs),
            identityKey: try Signing.publicKey(seed: seed),
            ephemeralKey: try publicKey(inputs.eA),
            name: inputs.nameA
        )
        let signature = try Signing.sign(Label.sigOffer.bytes + unsigned, seed: seed)
        let offer = try OfferCode(unsigned: unsigned, signature: signature)
        #expect(offer.bytes == (try hex(values.offer.bytes)))
        #expect(offer.unsignedBytes == unsigned)
        #expect(offer.signature == signature)
    }

    @Test(arguments: CodeVector.all)
    func `an answer holds its inputs`(vector: CodeVector) throws {
        let (values, inputs) = (vector.values, vector.values.inputs)
        let bytes = try hex(values.answer.bytes)
        let answer = try AnswerCode(bytes: bytes)
        let offer = try OfferCode(bytes: try hex(values.offer.bytes))
        #expect(answer.header == (try header(.answer, inputs)))
        #expect(answer.offerRef == offer.ref)
        #expect(offer.ref == Array(offer.transcriptHash.prefix(16)))
        #expect(answer.identityKey == (try hex(values.identity.B_pk)))
        #expect(answer.ephemeralKey == (try publicKey(inputs.eB)))
        #expect(answer.name == inputs.nameB)
        #expect(answer.peerID.hex == values.identity.B_peerid)
        #expect(answer.peerID.sessionID == values.identity.session_id_of_B)
        #expect(answer.text == values.answer.code)
        let unsigned = try AnswerCode.unsigned(
            header: answer.header,
            offerRef: offer.ref,
            identityKey: answer.identityKey,
            ephemeralKey: answer.ephemeralKey,
            name: inputs.nameB
        )
        #expect(answer.unsignedBytes == unsigned)
        let signature = Array(bytes.suffix(64))
        let confirm = Array(bytes.suffix(80).prefix(16))
        #expect(try AnswerCode(unsigned: unsigned, confirm: confirm, signature: signature) == answer)
        // What the signature covers, so that no field is read from the wrong place.
        let message = Label.sigAnswer.bytes + (try hex(values.epoch0.transcript)) + answer.confirm
        #expect(Signing.isValid(answer.signature, message: message, publicKey: answer.identityKey))
    }

    @Test(arguments: CodeVector.all)
    func `a rotate holds its inputs`(vector: CodeVector) throws {
        let (values, inputs) = (vector.values, vector.values.inputs)
        let bytes = try hex(values.rotate.bytes)
        let rotate = try RotateCode(bytes: bytes)
        #expect(rotate.header == (try header(.rotate, inputs)))
        #expect(rotate.ref == (try hex(values.epoch0.ref)))
        #expect(rotate.epoch == 1)
        #expect(rotate.attempt == 1)
        #expect(rotate.ephemeralKey == (try publicKey(inputs.rA)))
        #expect(rotate.text == values.rotate.code)
        let unsigned = try RotateCode.unsigned(
            header: rotate.header,
            ref: rotate.ref,
            epoch: 1,
            attempt: 1,
            ephemeralKey: rotate.ephemeralKey
        )
        #expect(rotate.unsignedBytes == unsigned)
        #expect(
            try RotateCode(unsigned: unsigned, mac: rotate.mac, signature: Array(bytes.suffix(64))) == rotate
        )
        let message = Label.sigRotate.bytes + rotate.ref + unsigned + rotate.mac
        #expect(
            Signing.isValid(rotate.signature, message: message, publicKey: try hex(values.identity.A_pk))
        )
    }

    @Test(arguments: CodeVector.all)
    func `an accept holds its inputs`(vector: CodeVector) throws {
        let (values, inputs) = (vector.values, vector.values.inputs)
        let bytes = try hex(values.accept.bytes)
        let accept = try AcceptCode(bytes: bytes)
        #expect(accept.header == (try header(.accept, inputs)))
        #expect(accept.ref == (try hex(values.epoch0.ref)))
        #expect(accept.epoch == 1)
        #expect(accept.rotateRef == (try RotateCode(bytes: try hex(values.rotate.bytes))).rotateRef)
        #expect(accept.ephemeralKey == (try publicKey(inputs.rB)))
        #expect(accept.text == values.accept.code)
        let unsigned = try AcceptCode.unsigned(
            header: accept.header,
            ref: accept.ref,
            epoch: 1,
            rotateRef: accept.rotateRef,
            ephemeralKey: accept.ephemeralKey
        )
        #expect(accept.unsignedBytes == unsigned)
        let confirm = Array(bytes.suffix(80).prefix(16))
        #expect(
            try AcceptCode(unsigned: unsigned, confirm: confirm, signature: accept.signature) == accept
        )
        let message = Label.sigAccept.bytes + (try hex(values.epoch1.transcript)) + accept.confirm
        #expect(
            Signing.isValid(accept.signature, message: message, publicKey: try hex(values.identity.B_pk))
        )
    }

    @Test(arguments: CodeVector.all)
    func `both kinds of revocation hold their inputs`(vector: CodeVector) throws {
        let (values, inputs) = (vector.values, vector.values.inputs)
        let reason = try #require(RevokeReason(rawValue: inputs.revoke_reason))
        let header = try CodeHeader.revocation(issued: inputs.issued)
        let session = try RevokeCode(bytes: try hex(values.revoke_session.bytes))
        let ref = try hex(values.epoch1.ref)
        let mac = Array(session.bytes[28..<44])
        #expect(session.header == header)
        #expect(session.reason == reason)
        #expect(session.scope == .session(ref: ref, epoch: 1, mac: mac))
        #expect(session.text == values.revoke_session.code)
        let unsigned = try RevokeCode.unsigned(header: header, reason: reason, ref: ref, epoch: 1)
        #expect(session.unsignedBytes == unsigned)
        #expect(session.signedBytes == unsigned + mac)
        #expect(try RevokeCode(unsigned: unsigned, mac: mac, signature: session.signature) == session)

        let identity = try RevokeCode(bytes: try hex(values.revoke_identity.bytes))
        let key = try hex(values.identity.A_pk)
        #expect(identity.header == header)
        #expect(identity.reason == .compromised)
        #expect(identity.scope == .identity(key: key))
        #expect(identity.text == values.revoke_identity.code)
        let signed = try RevokeCode.unsigned(header: header, reason: identity.reason, identityKey: key)
        #expect(identity.signedBytes == signed)
        #expect(identity.unsignedBytes == signed)
        #expect(try RevokeCode(unsigned: signed, signature: identity.signature) == identity)
        let message = Label.sigRevoke.bytes + signed
        #expect(Signing.isValid(identity.signature, message: message, publicKey: key))
    }

    @Test(arguments: CodeVector.all)
    func `a verify holds both halves`(vector: CodeVector) throws {
        let bytes = try hex(vector.values.verify.bytes)
        let verify = try VerifyCode(bytes: bytes)
        #expect(verify.senderFingerprint == Array(bytes[2..<34]))
        #expect(verify.receiverFingerprint == Array(bytes[34..<66]))
        #expect(verify.text == vector.values.verify.code)
        let again = try VerifyCode(
            senderFingerprint: verify.senderFingerprint,
            receiverFingerprint: verify.receiverFingerprint
        )
        #expect(again == verify)
    }
}
