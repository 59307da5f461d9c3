import HSIP
import Support
import Testing
import VaultCrypto

/// Two codes make a pairing (Schemas/hsip-xc1.md section 5).
struct PairingTests {
    @Test func `an offer and its answer give both the same keys, mirrored`() throws {
        let duo = try Duo.paired()
        let (mine, theirs) = (duo.alice.pairing(duo.bob), duo.bob.pairing(duo.alice))
        #expect(mine?.id == theirs?.id)
        #expect(mine?.role == .offerer && theirs?.role == .answerer)
        #expect(mine?.emoji.count == 12)
        #expect(mine?.emoji == theirs?.emoji)
        let (a, b) = (mine?.rotation?.current, theirs?.rotation?.current)
        #expect(a?.name == b?.name && a?.end == b?.end && a?.limit == b?.limit)
        #expect(areEqual(a?.keys.send, b?.keys.receive) && areEqual(a?.keys.receive, b?.keys.send))
        #expect(areEqual(a?.keys.chain, b?.keys.chain) && areEqual(a?.keys.rotate, b?.keys.rotate))
        #expect(!areEqual(a?.keys.send, a?.keys.receive))
        #expect(!areEqual(a?.keys.sendNonce, b?.keys.sendNonce))
    }

    @Test func `both pin each other and trust no one yet`() throws {
        let duo = try Duo.paired()
        #expect(duo.alice.contact(duo.bob)?.identityKey == duo.bob.book.identity.publicKey)
        #expect(duo.bob.contact(duo.alice)?.identityKey == duo.alice.book.identity.publicKey)
        #expect(duo.alice.contact(duo.bob)?.alias == "bob")
        #expect(duo.alice.trust(duo.bob) == .unverified && duo.bob.trust(duo.alice) == .unverified)
        #expect(duo.alice.contact(duo.bob)?.isRepaired == false)
    }

    @Test func `the offerer is sure at once, the answerer after the first message`() throws {
        let duo = try Duo.paired()
        #expect(duo.alice.contact(duo.bob)?.pairings.first?.isConfirmed == true)
        #expect(duo.bob.contact(duo.alice)?.pairings.first?.isConfirmed == false)
        #expect(try duo.bob.sealing("anybody there?", to: duo.alice).notices == [.unconfirmed])
        try duo.alice.say("yes", to: duo.bob)
        #expect(duo.bob.contact(duo.alice)?.pairings.first?.isConfirmed == true)
        #expect(try duo.bob.sealing("good", to: duo.alice).notices.isEmpty)
    }

    @Test func `what counts is the lower life and limit`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer(OfferRequest(lifeHours: 100, limit: 50))
        let wish = CodeOptions(reply: OfferRequest(lifeHours: 720, limit: 20))
        try duo.alice.take(.answer(try duo.bob.answer(offer, wish)))
        for epoch in [duo.alice.rotation(duo.bob)?.current, duo.bob.rotation(duo.alice)?.current] {
            #expect(epoch?.end == duo.clock.now + 100 * 3_600)
            #expect(epoch?.limit == 20)
        }
    }

    @Test func `the secret of an offer leaves with its answer`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer()
        #expect(duo.alice.book.offers[offer.ref]?.isOpen == true)
        try duo.alice.take(.answer(try duo.bob.answer(offer)))
        guard case .mine(_, _, .answered(let by, let hash)) = duo.alice.book.offers[offer.ref]?.side else {
            Issue.record("the offer is not answered")
            return
        }
        #expect(by == duo.bob.id)
        #expect(hash.count == 32)
    }

    @Test func `a name may be left out on both sides`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer(OfferRequest(isAnonymous: true))
        let answer = try duo.bob.answer(offer, CodeOptions(reply: OfferRequest(isAnonymous: true)))
        #expect(offer.name.isEmpty && answer.name.isEmpty)
        try duo.alice.take(.answer(answer))
        #expect(duo.alice.contact(duo.bob)?.alias.hasPrefix("peer-") == true)
    }

    @Test func `in person means scanned, for the direction it was said`() throws {
        let duo = try Duo()
        let answer = try duo.bob.answer(try duo.alice.offer(), CodeOptions(isInPerson: true))
        try duo.alice.take(.answer(answer))
        #expect(duo.bob.trust(duo.alice) == .scanned)
        #expect(duo.alice.trust(duo.bob) == .unverified)
    }

    @Test func `at most 32 offers without a contact are open at once`() throws {
        let duo = try Duo.paired()
        for _ in 0..<32 { _ = try duo.alice.offer() }
        #expect(try duo.alice.refusal(.offer(OfferRequest())) == .tooManyOffers)
        _ = try duo.alice.offer(for: duo.bob)
        try duo.alice.perform(.closeOffers)
        #expect(duo.alice.book.offers.values.allSatisfy { !$0.isOpen })
        _ = try duo.alice.offer()
    }

    @Test(arguments: [
        OfferRequest(ttlMinutes: 0), OfferRequest(ttlMinutes: 10_081), OfferRequest(lifeHours: 0),
        OfferRequest(lifeHours: 721), OfferRequest(limit: 0), OfferRequest(limit: 1_001),
    ])
    func `terms out of range are refused before anything is written`(request: OfferRequest) throws {
        let duo = try Duo()
        #expect(try duo.alice.refusal(.offer(request)) == .malformed)
        #expect(try duo.alice.refusal(.offer(OfferRequest(contact: duo.bob.id))) == .unknownContact)
        #expect(duo.alice.stored.records == (try TestPeer("Alice", clock: duo.clock)).stored.records)
    }

    @Test func `a name that codes cannot carry is refused`() throws {
        let duo = try Duo()
        for name in [String(repeating: "x", count: 41), "left\u{202E}right", "e\u{301}"] {
            #expect(try duo.alice.refusal(.setName(name)) == .malformed)
        }
        try duo.alice.perform(.setName("Alix"))
        #expect(try duo.alice.offer().name == "Alix")
    }
}
