import HSIP
import Support
import Testing
import VaultCrypto

/// The same code again, a second answer, and codes that come late (Schemas/hsip-xc1.md section 5).
struct SecondAnswerTests {
    @Test func `the same answer again says so and changes nothing`() throws {
        let duo = try Duo()
        let answer = try duo.bob.answer(try duo.alice.offer())
        try duo.alice.take(.answer(answer))
        let before = duo.alice.stored.records
        duo.clock.advance(.day)
        #expect(try duo.alice.take(.answer(answer)).notices == [.alreadyPaired])
        #expect(duo.alice.stored.records == before)
    }

    @Test func `the same offer again shows the same answer, never another`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer()
        let answer = try duo.bob.answer(offer)
        let before = duo.bob.stored.records
        duo.clock.advance(.hour)
        let again = try duo.bob.take(.offer(offer))
        #expect(again.code == .answer(answer))
        #expect(again.notices == [.alreadyPaired])
        #expect(duo.bob.stored.records == before)
        #expect(duo.bob.book.pairings.count == 1)
    }

    @Test func `the answer is shown as long as it can be imported, and not a second longer`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer(OfferRequest(ttlMinutes: 30))
        // Made at the last moment for the offer; from then on its own lifetime counts.
        duo.clock.advance(40 * .minute)
        let answer = try duo.bob.answer(offer, CodeOptions(reply: OfferRequest(ttlMinutes: 60)))
        duo.clock.advance(60 * .minute + 600)
        #expect(try duo.bob.take(.offer(offer)).code == .answer(answer))
        let late = TestPeer(duo.alice.stored, clock: duo.clock, seed: "late")
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == nil)
        duo.clock.advance(1)
        #expect(try late.refusal(.take(.answer(answer), CodeOptions())) == .offerExpired)
        #expect(try duo.bob.refusal(.take(.offer(offer), CodeOptions())) == .offerSpent)
    }

    @Test func `a day after the end of the offer no answer is taken, however long it is good for`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer(OfferRequest(ttlMinutes: 15))
        let answer = try duo.bob.answer(offer, CodeOptions(reply: OfferRequest(ttlMinutes: 10_080)))
        let late = TestPeer(duo.alice.stored, clock: duo.clock, seed: "late")
        duo.clock.advance(15 * .minute + .day)
        #expect(try duo.bob.perform(.nextCode(duo.alice.id, OfferRequest())).code == .answer(answer))
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == nil)
        duo.clock.advance(1)
        #expect(try late.refusal(.take(.answer(answer), CodeOptions())) == .offerExpired)
    }

    @Test func `an answer that can no longer be imported is not shown as the next code`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer(OfferRequest(ttlMinutes: 15))
        _ = try duo.bob.answer(offer, CodeOptions(reply: OfferRequest(ttlMinutes: 10_080)))
        duo.clock.advance(15 * .minute + .day + 1)
        #expect(try duo.bob.perform(.nextCode(duo.alice.id, OfferRequest())).code?.kind == .offer)
        #expect(try duo.bob.sealing("too late?", to: duo.alice).notices == [.unconfirmedLate])
    }

    @Test func `late is said also when the offer is long forgotten`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer(OfferRequest(ttlMinutes: 1, lifeHours: 720))
        // Answered at the last moment, so that the epoch outlives the record of the offer by minutes.
        duo.clock.advance(60 + 600)
        _ = try duo.bob.answer(offer, CodeOptions(reply: OfferRequest(ttlMinutes: 1, lifeHours: 720)))
        try duo.bob.live(30 * .day)
        #expect(duo.bob.book.offers.isEmpty)
        #expect(try duo.bob.sealing("still there?", to: duo.alice).notices.contains(.unconfirmedLate))
    }

    @Test func `a second answer by someone else marks an unverified contact and is refused`() throws {
        let duo = try Duo()
        let carol = try duo.stranger()
        let offer = try duo.alice.offer()
        let (first, second) = (try duo.bob.answer(offer), try carol.answer(offer))
        try duo.alice.take(.answer(first))
        let before = duo.alice.stored.records
        #expect(
            try duo.alice.refusal(.take(.answer(second), CodeOptions())) == .offerAlreadyUsed(by: carol.id)
        )
        #expect(duo.alice.trust(duo.bob) == .suspicious)
        #expect(duo.alice.stored.records.changes(from: before) == [.contact(duo.bob.id)])
        #expect(try duo.alice.sealing("hm", to: duo.bob).notices == [.suspicious])
        try duo.alice.perform(.matched(duo.bob.id, .emoji))
        #expect(duo.alice.trust(duo.bob) == .verified)
        #expect(try duo.alice.sealing("good", to: duo.bob).notices.isEmpty)
    }

    @Test(arguments: [Contact.Trust.scanned, .verified])
    func `a second answer does not blacken a contact that was checked`(trust: Contact.Trust) throws {
        let duo = try Duo()
        let carol = try duo.stranger()
        let offer = try duo.alice.offer()
        let (first, second) = (try duo.bob.answer(offer), try carol.answer(offer))
        try duo.alice.take(.answer(first), CodeOptions(isInPerson: trust == .scanned))
        if trust == .verified { try duo.alice.perform(.matched(duo.bob.id, .safetyNumber)) }
        let before = duo.alice.stored.records
        #expect(
            try duo.alice.refusal(.take(.answer(second), CodeOptions())) == .offerAlreadyUsed(by: carol.id)
        )
        #expect(duo.alice.trust(duo.bob) == trust)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `a second answer by the same person asks to pair again, without a mark`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer()
        let otherDevice = TestPeer(duo.bob.stored, clock: duo.clock, seed: "other device")
        let (first, second) = (try duo.bob.answer(offer), try otherDevice.answer(offer))
        try duo.alice.take(.answer(first))
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.take(.answer(second), CodeOptions())) == .offerAlreadyUsed(by: nil))
        #expect(duo.alice.trust(duo.bob) == .unverified)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `a second answer that is not signed is only damaged`() throws {
        let duo = try Duo()
        let carol = try duo.stranger()
        let offer = try duo.alice.offer()
        try duo.alice.take(.answer(try duo.bob.answer(offer)))
        let claim = Forge.Claim(issued: duo.clock.now)
        let forged = try Forge.answer(to: offer, by: carol, claim, isSigned: false)
        #expect(try duo.alice.refusal(.take(.answer(forged), CodeOptions())) == .malformed)
        #expect(duo.alice.trust(duo.bob) == .unverified)
    }

    @Test func `the first answer is spent once its session or its contact is gone`() throws {
        let duo = try Duo()
        let answer = try duo.bob.answer(try duo.alice.offer())
        try duo.alice.take(.answer(answer))
        _ = try duo.alice.revoke(duo.bob)
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == .offerSpent)
        try duo.alice.perform(.removeContact(duo.bob.id))
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == .offerSpent)
    }

    @Test func `an answer to a closed offer is refused, to a forgotten one unknown`() throws {
        let duo = try Duo()
        let (closed, left) = (try duo.alice.offer(), try duo.alice.offer())
        let toClosed = try duo.bob.answer(closed)
        let toLeft = try duo.stranger().answer(left)
        _ = try duo.alice.perform(.closeOffers)
        #expect(try duo.alice.refusal(.take(.answer(toClosed), CodeOptions())) == .offerClosed)
        let other = try duo.alice.offer()
        let toOther = try duo.stranger("Dan").answer(other)
        try duo.alice.live(2 * .day + 1)
        #expect(try duo.alice.refusal(.take(.answer(toOther), CodeOptions())) == .offerExpired)
        try duo.alice.live(30 * .day)
        #expect(try duo.alice.refusal(.take(.answer(toOther), CodeOptions())) == .unknownOffer)
        #expect(try duo.alice.refusal(.take(.answer(toLeft), CodeOptions())) == .unknownOffer)
    }

    @Test func `the secret of an offer is wiped a day after its end`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer()
        try duo.alice.live(2 * .day)
        #expect(duo.alice.book.offers[offer.ref]?.isOpen == true)
        try duo.alice.live(1)
        #expect(duo.alice.book.offers[offer.ref]?.isOpen == false)
        try duo.alice.live(29 * .day - 1)
        #expect(duo.alice.book.offers[offer.ref] != nil)
        try duo.alice.live(1)
        #expect(duo.alice.book.offers[offer.ref] == nil)
    }
}
