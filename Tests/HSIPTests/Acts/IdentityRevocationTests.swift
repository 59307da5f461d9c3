import HSIP
import Support
import Testing
import VaultCrypto

/// The end of an identity, known here or not (Schemas/hsip-xc1.md section 9).
struct IdentityRevocationTests {
    @Test func `an identity that ends itself takes every session along, for good`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.pair(with: duo.bob)
        let notice = duo.bob.book.identity.revocation
        guard case .identityEnded(duo.bob.id) = try duo.alice.take(.revoke(notice)).result else {
            Issue.record("a pinned contact needs no confirmation")
            return
        }
        #expect(duo.alice.book.pairings.values.allSatisfy { $0.rotation == nil })
        #expect(duo.alice.trust(duo.bob) == .revoked)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .revoked)
        #expect(try duo.alice.refusal(.offer(OfferRequest(contact: duo.bob.id))) == .identityRevoked)
        #expect(try duo.alice.refusal(.nextCode(duo.bob.id, OfferRequest())) == .identityRevoked)
        let offer = try duo.bob.offer()
        #expect(try duo.alice.refusal(.take(.offer(offer), CodeOptions())) == .identityRevoked)
        let before = duo.alice.stored.records
        #expect(try duo.alice.take(.revoke(notice)).notices == [.alreadyDone])
        #expect(duo.alice.stored.records == before)
    }

    @Test func `the end of an unknown identity is kept if the user says so`() throws {
        let duo = try Duo()
        let carol = try duo.stranger()
        let notice = ExchangeCode.revoke(carol.book.identity.revocation)
        #expect(try duo.alice.refusal(.take(notice, CodeOptions())) == .unknownContact)
        #expect(duo.alice.book.revoked.isEmpty)
        let outcome = try duo.alice.take(notice, CodeOptions(isConfirmed: true))
        #expect(outcome.contact == nil)
        let offer = try carol.offer()
        #expect(try duo.alice.refusal(.take(.offer(offer), CodeOptions())) == .identityRevoked)
    }

    @Test func `one's own notice, and one signed by someone else, are refused`() throws {
        let duo = try Duo.paired()
        let mine = ExchangeCode.revoke(duo.alice.book.identity.revocation)
        #expect(try duo.alice.refusal(.take(mine, CodeOptions(isConfirmed: true))) == .selfPairing)
        #expect(duo.alice.book.isOwn(mine))
        let forged = try RevokeCode.ofIdentity(
            duo.bob.book.identity.publicKey,
            seed: duo.alice.book.identity.seed,
            reason: .ended,
            issued: duo.clock.now
        )
        #expect(
            try duo.alice.refusal(.take(.revoke(forged), CodeOptions(isConfirmed: true))) == .badSignature
        )
        let early = try RevokeCode.ofIdentity(
            duo.bob.book.identity.publicKey,
            seed: duo.bob.book.identity.seed,
            reason: .ended,
            issued: duo.clock.now + 601
        )
        #expect(
            try duo.alice.refusal(.take(.revoke(early), CodeOptions())) == .codeFromFuture(seconds: 601)
        )
        #expect(duo.alice.trust(duo.bob) == .unverified)
    }

    @Test func `a renewed identity ends every session and offer, and the old one is taken from nobody`()
        throws
    {
        let duo = try Duo.acquainted()
        let (alice, bob) = (duo.alice, duo.bob)
        let old = alice.book.identity
        let open = try alice.offer()
        let message = try bob.seal("for the old one", to: alice)
        let thief = TestPeer(alice.stored, clock: duo.clock, seed: "thief")
        try alice.perform(.renewIdentity)
        let new = alice.book.identity
        #expect(new.name == old.name && new.publicKey != old.publicKey)
        #expect(alice.book.pairings.values.allSatisfy { $0.rotation == nil })
        #expect(alice.book.offers.values.allSatisfy { !$0.isOpen })
        #expect(alice.contact(bob)?.identityKey == bob.book.identity.publicKey)
        #expect(try alice.refusal(.send(bob.id, plaintext: .of("x"))) == .revoked)
        #expect(throws: HSIPError.self) { try alice.open(message) }
        #expect(throws: HSIPError.self) { try alice.take(.answer(try duo.stranger().answer(open))) }
        let offer = try thief.offer()
        #expect(try alice.refusal(.take(.offer(offer), CodeOptions())) == .identityRevoked)
    }

    @Test func `a contact takes the old notice, replaces the key, and both talk again`() throws {
        let duo = try Duo.acquainted()
        let (alice, bob) = (duo.alice, duo.bob)
        let (old, notice) = (alice.id, alice.book.identity.revocation)
        try alice.perform(.renewIdentity)
        try bob.take(.revoke(notice))
        #expect(bob.book.contacts[old]?.trust == .revoked)
        let offer = try alice.offer(OfferRequest(contact: bob.id))
        #expect(throws: HSIPError.self) { try bob.take(.offer(offer), CodeOptions(contact: old)) }
        try bob.perform(.trustNewKey(old, .offer(offer)))
        try alice.take(.answer(try bob.answer(offer)))
        try alice.say("again", to: bob)
        try bob.say("yes", to: alice)
    }
}
