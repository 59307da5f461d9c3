import HSIP
import Support
import Testing
import VaultCrypto

/// Ends: of sessions, of identities, and what an end leaves behind (Schemas/hsip-xc1.md section 9).
struct RevocationTests {
    private func keyless(_ peer: TestPeer, _ other: TestPeer) -> Bool {
        peer.contact(other)?.pairings.isEmpty == true
            && peer.book.pairings.values.allSatisfy { $0.contact != other.id || $0.rotation == nil }
    }

    @Test(arguments: RevokeReason.allCases)
    func `one notice ends the sessions on both sides and says why`(reason: RevokeReason) throws {
        let duo = try Duo.acquainted()
        let name = try #require(duo.alice.rotation(duo.bob)?.current.name)
        let notice = try #require(try duo.alice.revoke(duo.bob, reason))
        #expect(keyless(duo.alice, duo.bob))
        #expect(!duo.alice.book.seen.keys.contains { $0.epoch == name })
        #expect(duo.alice.contact(duo.bob)?.ended == .init(byPeer: false, at: duo.clock.now, reason: reason))
        duo.clock.advance(.hour)
        guard case .sessionsEnded(reason) = try duo.bob.take(.revoke(notice)).result else {
            Issue.record("the reason is shown")
            return
        }
        #expect(keyless(duo.bob, duo.alice))
        #expect(!duo.bob.book.seen.keys.contains { $0.epoch == name })
        #expect(duo.bob.contact(duo.alice)?.ended == .init(byPeer: true, at: duo.clock.now, reason: reason))
        for (one, other) in [(duo.alice, duo.bob), (duo.bob, duo.alice)] {
            #expect(try one.refusal(.send(other.id, plaintext: .of("x"))) == .revoked)
            #expect(try one.refusal(.rotate(other.id, OfferRequest())) == .revoked)
            #expect(try one.refusal(.revokeSessions(other.id, .none)) == .revoked)
        }
    }

    @Test func `either side may end, and a replay changes nothing`() throws {
        let duo = try Duo.acquainted()
        let notice = try #require(try duo.bob.revoke(duo.alice))
        try duo.alice.take(.revoke(notice))
        let before = duo.alice.stored.records
        duo.clock.advance(.day)
        #expect(try duo.alice.take(.revoke(notice)).notices == [.alreadyDone])
        #expect(duo.alice.stored.records == before)
        #expect(try duo.bob.take(.revoke(notice)).notices == [.alreadyDone])
    }

    @Test func `a forged, reflected or unknown notice ends nothing`() throws {
        let duo = try Duo.acquainted()
        let mallory = try duo.stranger("Mallory")
        let epoch = try #require(duo.alice.rotation(duo.bob)?.current)
        let key = try #require(epoch.keys.rotate)
        func notice(_ seed: Secret, _ rotateKey: Secret, number: UInt32 = 0) throws -> RevokeCode {
            try RevokeCode.ofSession(
                name: epoch.name,
                epoch: number,
                rotateKey: rotateKey,
                role: .offerer,
                seed: seed,
                reason: .ended,
                issued: duo.clock.now
            )
        }
        let before = duo.bob.stored.records
        for forged in [
            try notice(mallory.book.identity.seed, key),
            try notice(duo.alice.book.identity.seed, Secret(mallory.entropy.secret(32))),
            try notice(duo.alice.book.identity.seed, key, number: 1),
        ] {
            #expect(try duo.bob.refusal(.take(.revoke(forged), CodeOptions())) == .badSignature)
        }
        let good = try notice(duo.alice.book.identity.seed, key)
        #expect(try duo.alice.refusal(.take(.revoke(good), CodeOptions())) == .badSignature)
        #expect(try mallory.refusal(.take(.revoke(good), CodeOptions())) == .unknownSession)
        #expect(duo.bob.stored.records == before)
        #expect(try duo.bob.refusal(.take(.revoke(good), CodeOptions())) == nil)
    }

    @Test func `a notice is never too late, only too early`() throws {
        let duo = try Duo.acquainted()
        duo.alice.skew = 601
        let notice = try #require(try duo.alice.revoke(duo.bob))
        #expect(try duo.bob.refusal(.take(.revoke(notice), CodeOptions())) == .codeFromFuture(seconds: 601))
        duo.clock.advance(1)
        let soon = TestPeer(duo.bob.stored, clock: duo.clock, seed: "soon")
        #expect(try soon.refusal(.take(.revoke(notice), CodeOptions())) == nil)
        try duo.bob.live(20 * .day)
        #expect(try duo.bob.refusal(.take(.revoke(notice), CodeOptions())) == nil)
    }

    @Test func `with two pairings and clocks two minutes apart one notice ends both`() throws {
        for skew in [-120, 120] as [Int64] {
            let duo = try Duo()
            duo.bob.skew = skew
            try duo.alice.pair(with: duo.bob)
            duo.clock.advance(5)
            try duo.bob.pair(with: duo.alice)
            try duo.alice.say("x", to: duo.bob)
            try duo.bob.say("x", to: duo.alice)
            let notice = try #require(try duo.bob.revoke(duo.alice))
            duo.clock.advance(300)
            try duo.alice.take(.revoke(notice))
            #expect(keyless(duo.alice, duo.bob) && keyless(duo.bob, duo.alice))
        }
    }

    @Test func `a withheld notice does not hit a pairing that its author made later`() throws {
        for skew in [-120, 120] as [Int64] {
            let duo = try Duo.acquainted()
            duo.bob.skew = skew
            let notice = try #require(try duo.alice.revoke(duo.bob))
            duo.clock.advance(60)
            let later = try duo.alice.pair(with: duo.bob)
            try duo.alice.say("new start", to: duo.bob)
            // Now someone delivers what he held back.
            try duo.bob.take(.revoke(notice))
            #expect(duo.bob.contact(duo.alice)?.pairings.map(\.id) == [later])
            #expect(duo.bob.contact(duo.alice)?.ended == nil)
            try duo.bob.say("still here", to: duo.alice)
        }
    }

    @Test func `a notice is found under every epoch that is left, by its maker and its reader`() throws {
        // Bob has prepared the next epoch, Alice has finished: her notice is under his next.
        let ahead = try Duo.acquainted(seed: "ahead")
        try ahead.alice.renew(with: ahead.bob)
        try ahead.bob.take(.revoke(try #require(try ahead.alice.revoke(ahead.bob))))
        #expect(keyless(ahead.bob, ahead.alice))
        // And Bob's is under the one that Alice has left.
        let behind = try Duo.acquainted(seed: "behind")
        try behind.alice.renew(with: behind.bob)
        try behind.alice.take(.revoke(try #require(try behind.bob.revoke(behind.alice))))
        #expect(keyless(behind.alice, behind.bob))
    }

    @Test func `the offers bound to the contact end with the sessions`() throws {
        let duo = try Duo.acquainted()
        let (mine, theirs) = (try duo.alice.offer(for: duo.bob), try duo.bob.offer(for: duo.alice))
        try duo.bob.take(.revoke(try #require(try duo.alice.revoke(duo.bob))))
        #expect(duo.alice.book.offers[mine.ref]?.isOpen == false)
        #expect(duo.bob.book.offers[theirs.ref]?.isOpen == false)
    }

    @Test func `nothing old revives an ended session`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer()
        let answer = try duo.bob.answer(offer)
        try duo.alice.take(.answer(answer))
        try duo.alice.say("x", to: duo.bob)
        let rotate = try duo.alice.rotate(duo.bob)
        let accept = try duo.bob.accept(rotate)
        let own = try HSIPScheme.rotate(
            under: try #require(duo.bob.rotation(duo.alice)).current.keys,
            name: rotate.ref,
            epoch: 1,
            attempt: 9,
            suite: .two,
            terms: .rotation(at: duo.clock.now),
            party: try Forge.party(duo.bob, duo.alice)
        ).0
        let message = try duo.bob.seal("late", to: duo.alice)
        let notice = try #require(try duo.alice.revoke(duo.bob))
        try duo.bob.take(.revoke(notice))
        let before = (duo.alice.stored.records, duo.bob.stored.records)
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == .offerSpent)
        #expect(try duo.alice.refusal(.take(.accept(accept), CodeOptions())) == .revoked)
        #expect(try duo.alice.refusal(.take(.rotate(own), CodeOptions())) == .revoked)
        #expect(try duo.alice.refusal(.read(message, ReadRequest())) == .cannotOpen)
        #expect(try duo.bob.refusal(.take(.offer(offer), CodeOptions())) == .offerSpent)
        #expect(try duo.bob.refusal(.take(.rotate(rotate), CodeOptions())) == .revoked)
        #expect(duo.alice.stored.records == before.0 && duo.bob.stored.records == before.1)
    }

    @Test func `an ended session is remembered for thirty days past its end`() throws {
        let duo = try Duo.acquainted()
        let id = try #require(duo.alice.pairing(duo.bob)?.id)
        let end = try #require(duo.alice.rotation(duo.bob)?.current.end)
        let notice = try #require(try duo.bob.revoke(duo.alice))
        _ = try duo.alice.revoke(duo.bob)
        try duo.alice.live(Int64(end - duo.clock.now) + 30 * .day)
        #expect(duo.alice.book.pairings[id] != nil)
        #expect(try duo.alice.take(.revoke(notice)).notices == [.alreadyDone])
        try duo.alice.live(1)
        #expect(duo.alice.book.pairings[id] == nil)
        #expect(try duo.alice.refusal(.take(.revoke(notice), CodeOptions())) == .unknownSession)
    }

    @Test func `a notice goes out also when the clock is suspect`() throws {
        let duo = try Duo.acquainted()
        duo.clock.advance(2 * .day)
        try duo.alice.tick()
        duo.clock.advance(-2 * .day)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .clockSuspect)
        let notice = try #require(try duo.alice.revoke(duo.bob))
        try duo.bob.take(.revoke(notice))
        #expect(keyless(duo.bob, duo.alice))
    }
}
