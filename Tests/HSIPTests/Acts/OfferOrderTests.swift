import HSIP
import Support
import Testing
import VaultCrypto

/// The order in which an offer and an answer are judged: the first fault names the refusal, and changes nothing.
struct OfferOrderTests {
    private let duo: Duo
    private let carol: TestPeer

    init() throws {
        duo = try Duo()
        carol = try duo.stranger()
    }

    private func claim(_ change: (inout Forge.Claim) -> Void = { _ in }) -> Forge.Claim {
        var claim = Forge.Claim(issued: duo.clock.now)
        change(&claim)
        return claim
    }

    /// Carol's identity was ended by Carol.
    private func revokeCarol(at peer: TestPeer) throws {
        try peer.take(.revoke(carol.book.identity.revocation), CodeOptions(isConfirmed: true))
    }

    @Test func `an offer: signature, time, own identity, revoked identity, slot, key`() throws {
        // Each offer has every later fault too: its one-time key is of low order.
        let bob = duo.bob
        let late = claim { $0.issued -= 86_400 + 601 }
        let early = claim { $0.issued += 601 }
        let before = bob.stored.records
        let cases: [(HSIPError, OfferCode)] = [
            (.badSignature, try Forge.offer(by: bob, late, isSigned: false)),
            (.codeExpired, try Forge.offer(by: bob, late)),
            (.codeFromFuture(seconds: 601), try Forge.offer(by: bob, early)),
            (.selfPairing, try Forge.offer(by: bob, claim())),
            (.badKey, try Forge.offer(by: carol, claim())),
        ]
        for (error, offer) in cases {
            #expect(try bob.refusal(.take(.offer(offer), CodeOptions())) == error)
        }
        #expect(bob.stored.records.changes(from: before).subtracting([.clock]).isEmpty)

        try duo.alice.pair(with: bob)
        let collision = try Forge.offer(by: carol, claim { $0.name = "Alice" })
        #expect(
            try bob.refusal(.take(.offer(collision), CodeOptions()))
                == .nameCollision(existing: duo.alice.id, new: carol.id)
        )
        try revokeCarol(at: bob)
        #expect(try bob.refusal(.take(.offer(collision), CodeOptions())) == .identityRevoked)
    }

    @Test func `an own offer is known before its time is looked at`() throws {
        let offer = try duo.bob.offer()
        duo.clock.advance(2 * .day)
        #expect(try duo.bob.refusal(.take(.offer(offer), CodeOptions())) == .selfPairing)
    }

    @Test func `an offer may be taken until ten minutes after its end`() throws {
        let offer = try duo.alice.offer(OfferRequest(ttlMinutes: 15))
        duo.clock.advance(15 * .minute + 601)
        #expect(try duo.bob.refusal(.take(.offer(offer), CodeOptions())) == .codeExpired)
        let other = try TestPeer("Dan", clock: duo.clock)
        duo.clock.advance(-1)
        #expect(try other.refusal(.take(.offer(offer), CodeOptions())) == nil)
        // Bob's clock had passed the end when he was refused: it does not come back.
        #expect(try duo.bob.refusal(.take(.offer(offer), CodeOptions())) == .codeExpired)
    }

    @Test func `an offer from ten minutes ahead is taken, from eleven it is not`() throws {
        duo.alice.skew = 600
        let near = try duo.alice.offer()
        duo.alice.skew = 601
        let far = try duo.alice.offer()
        #expect(try duo.bob.refusal(.take(.offer(far), CodeOptions())) == .codeFromFuture(seconds: 601))
        #expect(try duo.bob.refusal(.take(.offer(near), CodeOptions())) == nil)
    }

    @Test func `an answer: offer, signature, terms, time, own identity, revoked, slot, key, confirmation`()
        throws
    {
        let alice = duo.alice
        let offer = try alice.offer(OfferRequest(lifeHours: 2, limit: 10))
        let unknown = try Forge.offer(by: alice, claim(), ephemeral: [9] + [UInt8](repeating: 0, count: 31))
        let open = alice.stored.records
        let above = claim {
            ($0.lifeHours, $0.limit) = (3, 10)
            $0.issued += 601
        }
        let aboveLimit = claim { ($0.lifeHours, $0.limit) = (2, 11) }
        let good = claim { ($0.lifeHours, $0.limit) = (2, 10) }
        let early = claim { ($0.lifeHours, $0.limit, $0.issued) = (2, 10, $0.issued + 601) }
        let afterEnd = claim { ($0.lifeHours, $0.limit, $0.issued) = (2, 10, $0.issued + 86_400 + 601) }
        func judged(_ answer: AnswerCode) throws -> HSIPError? {
            try alice.refusal(.take(.answer(answer), CodeOptions()))
        }
        // Alice answers herself with a one-time key of low order, over and over, each time less wrong.
        let low = Forge.lowOrder
        #expect(
            try judged(Forge.answer(to: unknown, by: alice, above, ephemeral: low, isSigned: false))
                == .unknownOffer
        )
        #expect(
            try judged(Forge.answer(to: offer, by: alice, above, ephemeral: low, isSigned: false))
                == .badSignature
        )
        #expect(try judged(Forge.answer(to: offer, by: alice, above, ephemeral: low)) == .malformed)
        #expect(try judged(Forge.answer(to: offer, by: alice, aboveLimit, ephemeral: low)) == .malformed)
        #expect(
            try judged(Forge.answer(to: offer, by: alice, early, ephemeral: low))
                == .codeFromFuture(seconds: 601)
        )
        #expect(try judged(Forge.answer(to: offer, by: alice, good, ephemeral: low)) == .selfPairing)
        #expect(
            try judged(Forge.answer(to: offer, by: carol, good, ephemeral: low, isConfirmed: false))
                == .badKey
        )
        #expect(
            try judged(
                Forge.answer(to: offer, by: carol, good, ephemeral: offer.ephemeralKey, isConfirmed: false)
            )
                == .badKey
        )
        #expect(
            try judged(Forge.answer(to: offer, by: carol, good, isConfirmed: false)) == .confirmFailed
        )
        #expect(alice.stored.records == open)

        duo.clock.advance(86_400 + 601)
        #expect(try judged(Forge.answer(to: offer, by: alice, afterEnd, ephemeral: low)) == .offerExpired)
        duo.clock.advance(-86_400)
        #expect(alice.book.offers[offer.ref]?.isOpen == true)
    }

    @Test func `an answer whose epoch is over is too late, however long it may be imported`() throws {
        let offer = try duo.alice.offer(OfferRequest(lifeHours: 1))
        let (bob, answer) = (duo.bob, try duo.bob.answer(offer))
        duo.clock.advance(3_600)
        let other = TestPeer(duo.alice.stored, clock: duo.clock, seed: "other")
        #expect(try other.refusal(.take(.answer(answer), CodeOptions())) == nil)
        duo.clock.advance(1)
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == .codeExpired)
        #expect(bob.contact(duo.alice) != nil)
    }

    @Test func `a revoked identity and a taken name stop an answer before its keys are used`() throws {
        let offer = try duo.alice.offer()
        try duo.alice.pair(with: duo.bob)
        let answer = try Forge.answer(
            to: offer,
            by: carol,
            claim { $0.name = "Bob" },
            ephemeral: Forge.lowOrder
        )
        #expect(
            try duo.alice.refusal(.take(.answer(answer), CodeOptions()))
                == .nameCollision(existing: duo.bob.id, new: carol.id)
        )
        try revokeCarol(at: duo.alice)
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == .identityRevoked)
        #expect(duo.alice.book.offers[offer.ref]?.isOpen == true)
    }

    @Test func `one's own answer pasted back is one's own code, to no one's offer it is unknown`() throws {
        let answer = try duo.bob.answer(try duo.alice.offer())
        #expect(try duo.bob.refusal(.take(.answer(answer), CodeOptions())) == .selfPairing)
        #expect(try carol.refusal(.take(.answer(answer), CodeOptions())) == .unknownOffer)
    }
}
