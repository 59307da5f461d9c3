import HSIP
import Support
import Testing
import VaultCrypto

/// Both at once, late codes, lost codes: what makes the two agree all the same.
struct RotationRaceTests {
    /// The one with the lower PeerID and the other one.
    private func ranked(_ duo: Duo) -> (low: TestPeer, high: TestPeer) {
        duo.alice.id < duo.bob.id ? (duo.alice, duo.bob) : (duo.bob, duo.alice)
    }

    @Test func `of two first attempts that of the lower PeerID wins, and the loser drops its own`() throws {
        let duo = try Duo.acquainted()
        let (low, high) = ranked(duo)
        let (winner, loser) = (try low.rotate(high), try high.rotate(low))
        // The lower one stays with its own.
        let before = low.stored.records
        let answer = try low.take(.rotate(loser))
        #expect(answer.code == .rotate(winner))
        #expect(low.stored.records == before)
        let accept = try high.accept(winner)
        #expect(high.rotation(low)?.out == nil)
        // What would have answered the dropped attempt comes too late.
        let forLoser = try HSIPScheme.accept(
            loser,
            under: try #require(low.rotation(high)).current.keys,
            terms: .rotation(at: duo.clock.now),
            party: try Forge.party(low, high)
        )
        #expect(try high.refusal(.take(.accept(forLoser.accept), CodeOptions())) == .staleCode)
        try low.take(.accept(accept))
        try low.say("agreed", to: high)
        try high.say("agreed", to: low)
        #expect(low.rotation(high)?.current.name == high.rotation(low)?.current.name)
    }

    @Test func `a higher attempt beats the lower PeerID`() throws {
        let duo = try Duo.acquainted()
        let (low, high) = ranked(duo)
        try high.plant(for: low) { $0.seenAttempt = 1 }
        let (first, second) = (try low.rotate(high), try high.rotate(low))
        #expect(first.attempt == 1 && second.attempt == 2)
        #expect(try high.take(.rotate(first)).code == .rotate(second))
        let accept = try low.accept(second)
        try high.take(.accept(accept))
        #expect(high.rotation(low)?.current.number == 1)
        #expect(low.rotation(high)?.seenAttempt == 2)
    }

    @Test func `an old delayed ROTATE does not win over a newer one`() throws {
        let duo = try Duo.paired()
        try duo.alice.pair(with: duo.bob, OfferRequest(lifeHours: 720))
        try duo.alice.say("hello", to: duo.bob)
        let old = try duo.alice.rotate(duo.bob, OfferRequest(ttlMinutes: 60))
        duo.clock.advance(.hour + 1)
        let newer = try duo.alice.rotate(duo.bob)
        #expect(newer.attempt == 2)
        let other = TestPeer(duo.bob.stored, clock: duo.clock, seed: "other order")
        let accept = try duo.bob.accept(newer)
        let before = duo.bob.stored.records
        #expect(try duo.bob.take(.rotate(old)).code == .accept(accept))
        #expect(duo.bob.stored.records == before)
        // And the other way round: the newer one replaces what the old one prepared.
        duo.clock.advance(-.hour)
        _ = try other.accept(old)
        duo.clock.advance(.hour)
        let replaced = try other.accept(newer)
        #expect(other.rotation(duo.alice)?.next?.attempt == 2)
        try duo.alice.take(.accept(replaced))
        try duo.alice.say("new keys", to: other)
    }

    @Test func `equal rank with other bytes counts as lower`() throws {
        let duo = try Duo.acquainted()
        let first = try duo.alice.rotate(duo.bob)
        let second = try Forge.rotate(
            by: duo.alice,
            to: duo.bob,
            attempt: 1,
            terms: .rotation(at: duo.clock.now),
            parent: try #require(duo.alice.rotation(duo.bob)?.current)
        )
        #expect(first != second)
        let accept = try duo.bob.accept(first)
        let before = duo.bob.stored.records
        #expect(try duo.bob.take(.rotate(second)).code == .accept(accept))
        #expect(duo.bob.stored.records == before)
    }

    @Test func `a ROTATE under the prepared epoch proves that the peer finished`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.renew(with: duo.bob)
        // Alice has said nothing under epoch 1 and already wants epoch 2.
        let accept = try duo.bob.accept(try duo.alice.rotate(duo.bob))
        let bob = try #require(duo.bob.rotation(duo.alice))
        #expect(bob.current.number == 1 && bob.next?.epoch.number == 2 && bob.seenAttempt == 1)
        try duo.alice.take(.accept(accept))
        try duo.alice.say("two", to: duo.bob)
        try duo.bob.say("two", to: duo.alice)
        #expect(duo.bob.rotation(duo.alice)?.current.number == 2)
    }

    @Test func `a bad ROTATE under the prepared epoch promotes nothing`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.renew(with: duo.bob)
        let party = try Forge.party(duo.alice, duo.bob)
        let epoch = try #require(duo.alice.rotation(duo.bob)?.current)
        let good = try duo.alice.rotate(duo.bob)
        let unsigned = try RotateCode.unsigned(
            header: good.header,
            ref: epoch.name,
            epoch: 2,
            attempt: 1,
            ephemeralKey: Forge.lowOrder,
            kemKey: good.kemKey
        )
        let mac = KeySchedule.rotateMAC(
            rotateKey: try #require(epoch.keys.rotate),
            role: party.role,
            unsigned: unsigned
        )
        let low = try RotateCode(
            unsigned: unsigned,
            mac: mac,
            signature: try KeySchedule.signRotate(
                ref: epoch.name,
                unsigned: unsigned,
                mac: mac,
                seed: party.identity.seed
            )
        )
        var rotation = try #require(duo.bob.rotation(duo.alice))
        #expect(throws: HSIPError.badKey) {
            try rotation.take(
                low,
                terms: { $0 },
                party: try Forge.party(duo.bob, duo.alice),
                at: Moment(wallClock: duo.clock.now)
            )
        }
        #expect(rotation.current.number == 0 && rotation.next != nil)
        let before = duo.bob.stored.records
        #expect(try duo.bob.refusal(.take(.rotate(low), CodeOptions())) == .badKey)
        #expect(duo.bob.stored.records == before)
    }

    /// A.start B.accept A.finish B.start: Bob's ACCEPT is out of time, so he starts under the old epoch.
    private func startBehind(_ duo: Duo, ttlMinutes: UInt16? = nil) throws -> RotateCode {
        let brief = CodeOptions(reply: OfferRequest(ttlMinutes: 1))
        try duo.alice.take(.accept(try duo.bob.accept(try duo.alice.rotate(duo.bob), brief)))
        duo.clock.advance(.hour)
        return try duo.bob.rotate(duo.alice, OfferRequest(ttlMinutes: ttlMinutes))
    }

    @Test func `a peer that is an epoch behind gets my own ROTATE, which brings it along`() throws {
        let duo = try Duo.acquainted()
        let behind = try startBehind(duo)
        #expect(behind.epoch == 1 && behind.attempt == 2)
        let outcome = try duo.alice.take(.rotate(behind))
        #expect(outcome.notices == [.peerCatchingUp])
        guard case .rotate(let mine) = outcome.code else {
            Issue.record("Alice's own ROTATE is shown")
            return
        }
        #expect(mine.epoch == 2)
        let before = duo.alice.stored.records
        let again = try duo.alice.take(.rotate(behind))
        #expect(again.code == .rotate(mine) && again.notices == [.peerCatchingUp])
        #expect(duo.alice.stored.records == before)
        try duo.alice.take(.accept(try duo.bob.accept(mine)))
        try duo.alice.say("together", to: duo.bob)
        try duo.bob.say("together", to: duo.alice)
        #expect(duo.bob.rotation(duo.alice)?.current.number == 2)
    }

    @Test func `a ROTATE under a replaced epoch has its time, too`() throws {
        let duo = try Duo.acquainted()
        let behind = try startBehind(duo, ttlMinutes: 1)
        duo.clock.advance(60 + 601)
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.take(.rotate(behind), CodeOptions())) == .codeExpired)
        #expect(duo.alice.stored.records.changes(from: before) == [.clock])
    }

    @Test func `a lost ACCEPT costs nothing: it is shown again`() throws {
        let duo = try Duo.acquainted()
        let rotate = try duo.alice.rotate(duo.bob)
        let lost = try duo.bob.accept(rotate)
        duo.clock.advance(.day)
        #expect(try duo.bob.accept(rotate) == lost)
        try duo.alice.take(.accept(lost))
        try duo.alice.say("new", to: duo.bob)
    }

    @Test func `a responder whose ACCEPT is out of time may start, and keeps both ways open`() throws {
        let duo = try Duo.acquainted()
        let brief = CodeOptions(reply: OfferRequest(ttlMinutes: 1))
        _ = try duo.bob.accept(try duo.alice.rotate(duo.bob), brief)
        duo.clock.advance(.hour)
        let rotate = try duo.bob.rotate(duo.alice)
        #expect(rotate.attempt == 2)
        #expect(duo.bob.rotation(duo.alice)?.next != nil)
        // Alice's own attempt ranks lower now and goes.
        let accept = try duo.alice.accept(rotate)
        #expect(duo.alice.rotation(duo.bob)?.out == nil)
        try duo.bob.take(.accept(accept))
        #expect(duo.bob.rotation(duo.alice)?.next == nil)
        try duo.bob.say("one", to: duo.alice)
        try duo.alice.say("one", to: duo.bob)
    }

    @Test func `attempts run out`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.plant(for: duo.bob) { $0.seenAttempt = .max - 1 }
        #expect(try duo.alice.rotate(duo.bob, OfferRequest(ttlMinutes: 1)).attempt == .max)
        duo.clock.advance(.hour)
        #expect(try duo.alice.refusal(.rotate(duo.bob.id, OfferRequest())) == .attemptsExhausted)
    }
}
