import HSIP
import Support
import Testing
import VaultCrypto

/// What raises trust, and what only looks like it (Schemas/hsip-xc1.md sections 5 and 6).
struct TrustTests {
    private let duo: Duo

    init() throws { duo = try Duo.paired() }

    @Test(arguments: [Contact.Verification.safetyNumber, .emoji, .verifyCode])
    func `a match makes a contact verified and says how and when`(how: Contact.Verification) throws {
        duo.clock.advance(.hour)
        try duo.alice.perform(.matched(duo.bob.id, how))
        let contact = duo.alice.contact(duo.bob)
        #expect(contact?.trust == .verified && contact?.verification == how)
        #expect(contact?.verifiedAt == duo.clock.now)
    }

    @Test func `a VERIFY raises trust only from the person's own screen`() throws {
        let code = ExchangeCode.verify(try duo.bob.book.verifyCode(for: duo.alice.id))
        let before = duo.alice.stored.records
        guard case .verifyMatched = try duo.alice.take(code).result else {
            Issue.record("it does match")
            return
        }
        #expect(duo.alice.stored.records == before)
        try duo.alice.take(code, CodeOptions(isInPerson: true))
        #expect(duo.alice.trust(duo.bob) == .verified)
        #expect(duo.alice.contact(duo.bob)?.verification == .verifyCode)
    }

    @Test func `a VERIFY inside a message proves nothing, whatever the user says`() throws {
        let code = try duo.bob.book.verifyCode(for: duo.alice.id).text
        let message = try duo.bob.seal("look: \(code)", to: duo.alice)
        try duo.alice.perform(.takeInside(message, CodeOptions(isInPerson: true)))
        #expect(duo.alice.trust(duo.bob) == .unverified)
    }

    @Test(arguments: [false, true])
    func `a VERIFY of someone in between is a mismatch, also with good fingerprints`(onScreen: Bool) throws {
        let mallory = try duo.stranger("Mallory")
        try duo.alice.pair(with: mallory)
        let request = CodeOptions(contact: duo.bob.id, isInPerson: onScreen)
        let before = duo.alice.stored.records
        // Mallory shows her own, and one made from public data for someone else.
        let own = try mallory.book.verifyCode(for: duo.alice.id)
        let forOther = try VerifyCode(
            senderKey: duo.bob.book.identity.publicKey,
            receiverKey: mallory.book.identity.publicKey
        )
        let turned = try VerifyCode(
            senderKey: mallory.book.identity.publicKey,
            receiverKey: duo.bob.book.identity.publicKey
        )
        #expect(try duo.alice.refusal(.take(.verify(own), request)) == .verifyMismatch)
        #expect(try duo.alice.refusal(.take(.verify(forOther), request)) == .verifyNotForMe)
        #expect(try duo.alice.refusal(.take(.verify(turned), request)) == .verifyMismatch)
        #expect(try duo.alice.refusal(.take(.verify(forOther), CodeOptions())) == .verifyNotForMe)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `a VERIFY of no one here, or of me, is refused`() throws {
        let carol = try duo.stranger()
        let unknown = try VerifyCode(
            senderKey: carol.book.identity.publicKey,
            receiverKey: duo.alice.book.identity.publicKey
        )
        #expect(try duo.alice.refusal(.take(.verify(unknown), CodeOptions())) == .verifyMismatch)
        let mine = try duo.alice.book.verifyCode(for: duo.bob.id)
        #expect(try duo.alice.refusal(.take(.verify(mine), CodeOptions())) == .selfPairing)
        #expect(duo.alice.book.isOwn(.verify(mine)))
        #expect(!duo.alice.book.isOwn(.verify(unknown)))
    }

    @Test func `a forged VERIFY from public data matches, and so it proves nothing by itself`() throws {
        let forged = try VerifyCode(
            senderKey: duo.bob.book.identity.publicKey,
            receiverKey: duo.alice.book.identity.publicKey
        )
        #expect(forged == (try duo.bob.book.verifyCode(for: duo.alice.id)))
        try duo.alice.take(.verify(forged))
        #expect(duo.alice.trust(duo.bob) == .unverified)
    }

    @Test func `the safety number is the same on both sides and stays through renewal and re-pairing`() throws
    {
        let number = try duo.alice.book.safetyNumber(with: duo.bob.id)
        #expect(try duo.bob.book.safetyNumber(with: duo.alice.id) == number)
        try duo.alice.renew(with: duo.bob)
        try duo.alice.pair(with: duo.bob)
        #expect(try duo.alice.book.safetyNumber(with: duo.bob.id) == number)
    }

    @Test func `a rotation leaves the emoji alone, a new pairing does not`() throws {
        let emoji = duo.alice.pairing(duo.bob)?.emoji
        try duo.alice.renew(with: duo.bob)
        #expect(duo.alice.pairing(duo.bob)?.emoji == emoji)
        try duo.alice.pair(with: duo.bob)
        #expect(duo.alice.pairing(duo.bob)?.emoji != emoji)
        #expect(duo.alice.pairing(duo.bob)?.emoji.count == 12)
    }

    @Test func `in person does not lift a suspicion`() throws {
        var contact = try #require(duo.alice.contact(duo.bob))
        contact.trust = .suspicious
        try duo.alice.plant(contact)
        let answer = try duo.bob.answer(try duo.alice.offer())
        let outcome = try duo.alice.take(.answer(answer), CodeOptions(isInPerson: true))
        #expect(outcome.notices == [.suspicious, .repairedNotReverified])
        #expect(duo.alice.trust(duo.bob) == .suspicious)
        #expect(try duo.alice.perform(.rotate(duo.bob.id, OfferRequest())).notices == [.suspicious])
        #expect(try duo.alice.sealing("who are you?", to: duo.bob).notices == [.suspicious])
        let message = try duo.bob.seal("it is me", to: duo.alice)
        #expect(try duo.alice.opening(message).notices == [.suspicious])
    }

    @Test func `no one becomes verified again after ending their identity`() throws {
        let notice = duo.bob.book.identity.revocation
        let code = ExchangeCode.verify(try duo.bob.book.verifyCode(for: duo.alice.id))
        try duo.alice.take(.revoke(notice))
        #expect(try duo.alice.refusal(.matched(duo.bob.id, .emoji)) == .identityRevoked)
        #expect(
            try duo.alice.refusal(.take(code, CodeOptions(isInPerson: true))) == .identityRevoked
        )
        #expect(duo.alice.trust(duo.bob) == .revoked)
    }
}
