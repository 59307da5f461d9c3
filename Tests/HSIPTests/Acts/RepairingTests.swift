import HSIP
import Support
import Testing
import VaultCrypto

/// More than one pairing between two people: crossing offers, pairing again, fresh offers, the fifth.
struct RepairingTests {
    @Test func `crossing offers agree after one message each way`() throws {
        let duo = try Duo()
        let (mine, theirs) = (try duo.alice.offer(), try duo.bob.offer())
        let (toMine, toTheirs) = (try duo.bob.answer(mine), try duo.alice.answer(theirs))
        // Neither has the other's answer yet, and both may write at once.
        let early = (try duo.alice.seal("a", to: duo.bob), try duo.bob.seal("b", to: duo.alice))
        try duo.alice.take(.answer(toMine))
        try duo.bob.take(.answer(toTheirs))
        #expect(try duo.bob.open(early.0) == "a")
        #expect(try duo.alice.open(early.1) == "b")
        try duo.alice.say("c", to: duo.bob)
        try duo.bob.say("d", to: duo.alice)
        #expect(duo.alice.pairing(duo.bob)?.id == duo.bob.pairing(duo.alice)?.id)
        #expect(duo.alice.contact(duo.bob)?.pairings.count == 2)
        #expect(duo.alice.contact(duo.bob)?.pairings.allSatisfy { $0.isConfirmed } == true)
    }

    @Test func `after pairing again the new keys send and the old ones still open`() throws {
        let duo = try Duo.acquainted()
        let old = duo.alice.pairing(duo.bob)?.id
        let late = try duo.bob.seal("still under the old keys", to: duo.alice)
        try duo.alice.pair(with: duo.bob)
        #expect(duo.alice.pairing(duo.bob)?.id != old)
        #expect(try duo.alice.open(late) == "still under the old keys")
        // Bob sends under the old pairing until he has heard under the new one.
        #expect(duo.bob.pairing(duo.alice)?.id == old)
        try duo.alice.say("new", to: duo.bob)
        #expect(duo.bob.pairing(duo.alice)?.id == duo.alice.pairing(duo.bob)?.id)
        #expect(duo.alice.contact(duo.bob)?.isRepaired == true)
    }

    @Test func `pairing again keeps trust but says that no one compared`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.perform(.matched(duo.bob.id, .safetyNumber))
        let answer = try duo.bob.answer(try duo.alice.offer())
        #expect(try duo.alice.take(.answer(answer)).notices == [.repairedNotReverified])
        #expect(duo.alice.trust(duo.bob) == .verified)
        #expect(duo.alice.contact(duo.bob)?.isRepaired == true)
        try duo.alice.perform(.matched(duo.bob.id, .emoji))
        #expect(duo.alice.contact(duo.bob)?.isRepaired == false)
    }

    @Test(arguments: [Contact.Verification.safetyNumber, .verifyCode])
    func `what compares identities only leaves the mark of pairing again`(
        how: Contact.Verification
    ) throws {
        let duo = try Duo.acquainted()
        try duo.alice.pair(with: duo.bob)
        try duo.alice.perform(.matched(duo.bob.id, how))
        #expect(duo.alice.trust(duo.bob) == .verified)
        #expect(duo.alice.contact(duo.bob)?.isRepaired == true)
    }

    @Test func `fresh offers that are accepted within one second are all accepted, and the last one counts`()
        throws
    {
        let duo = try Duo.acquainted()
        // Alice ends her sessions, and the notice never arrives: what she offers now is fresh.
        _ = try duo.alice.revoke(duo.bob)
        for _ in 0..<8 {
            let offer = try duo.alice.offer(for: duo.bob)
            #expect(offer.header.isFresh)
            let answer = try duo.bob.answer(offer)
            let newest = duo.bob.contact(duo.alice).flatMap { PairingOrder.ranked($0.pairings).first }
            #expect(newest?.answerIssued == answer.header.issued && newest?.isConfirmed == false)
        }
    }

    @Test func `an answer outranks the confirmed pairings when their clock was a little ahead`() throws {
        let duo = try Duo()
        // Alice answers with a clock that is four minutes ahead.
        duo.alice.skew = 240
        try duo.bob.pair(with: duo.alice)
        duo.alice.skew = 0
        let answer = try duo.bob.answer(try duo.alice.offer())
        #expect(answer.header.issued == duo.clock.now + 241)
        try duo.alice.take(.answer(answer))
        #expect(duo.alice.pairing(duo.bob)?.role == .offerer)
    }

    @Test func `a stamp far ahead is not followed, so that a wrong clock locks no one out`() throws {
        let duo = try Duo()
        duo.alice.skew = 300
        try duo.bob.pair(with: duo.alice)
        duo.alice.skew = 0
        let answer = try duo.bob.answer(try duo.alice.offer())
        // 301 s would be too far: the wall clock alone counts.
        #expect(answer.header.issued == duo.clock.now)
    }

    @Test func `an offer is fresh only when the sessions with that contact are no use`() throws {
        let duo = try Duo.acquainted()
        #expect(try duo.alice.offer().header.isFresh == false)
        #expect(try duo.alice.offer(for: duo.bob).header.isFresh == false)
        let backup = duo.alice.stored
        duo.alice.restore(backup)
        #expect(try duo.alice.offer().header.isFresh == false)
        #expect(try duo.alice.offer(for: duo.bob).header.isFresh)
        _ = try duo.bob.revoke(duo.alice)
        #expect(try duo.bob.offer(for: duo.alice).header.isFresh)
    }

    @Test func `a fresh offer mutes the older pairings of its answerer, who goes on reading them`() throws {
        let duo = try Duo.acquainted()
        let old = duo.bob.pairing(duo.alice)?.id
        duo.alice.restore(duo.alice.stored)
        let late = try duo.alice.book.pairings.values.first.map { _ in
            try TestPeer(duo.bob.stored, clock: duo.clock, seed: "bob before").seal("x", to: duo.alice)
        }
        let offer = try duo.alice.offer(for: duo.bob)
        duo.clock.advance(1)
        let answer = try duo.bob.answer(offer)
        #expect(duo.bob.contact(duo.alice)?.pairings.first { $0.id == old }?.isMuted == true)
        #expect(duo.bob.pairing(duo.alice)?.id != old)
        try duo.alice.take(.answer(answer))
        try duo.alice.say("I am back", to: duo.bob)
        try duo.bob.say("welcome", to: duo.alice)
        #expect(duo.alice.pairing(duo.bob)?.id == duo.bob.pairing(duo.alice)?.id)
        if let late { #expect(try duo.alice.open(late) == "x") }
        // The muted pairing receives to its natural end.
        let quiet = old.flatMap { duo.bob.book.pairings[$0]?.rotation?.current.keys.canReceive }
        #expect(quiet == true)
    }

    @Test func `an answer below the pairing that sends does not stand before the ROTATE that is due`() throws
    {
        let duo = try Duo.paired()
        // Bob's answer of the first pairing is unconfirmed and in time; what Alice needs is the renewal of the second.
        try duo.bob.pair(with: duo.alice, OfferRequest(limit: 1))
        _ = try duo.bob.seal("the only one", to: duo.alice)
        let shown = try duo.bob.perform(.nextCode(duo.alice.id, OfferRequest())).code
        guard case .rotate(let rotate) = shown else {
            Issue.record("\(String(describing: shown))")
            return
        }
        try duo.bob.take(.accept(try duo.alice.accept(rotate)))
        try duo.bob.say("on", to: duo.alice)
        try duo.alice.say("and back", to: duo.bob)
    }

    @Test func `an answer above the pairing that sends is what pair shows`() throws {
        let duo = try Duo.acquainted()
        let answer = try duo.bob.answer(try duo.alice.offer())
        #expect(try duo.bob.perform(.nextCode(duo.alice.id, OfferRequest())).code == .answer(answer))
    }

    @Test func `an ordinary offer mutes nothing`() throws {
        let duo = try Duo.acquainted()
        duo.clock.advance(1)
        _ = try duo.bob.answer(try duo.alice.offer())
        #expect(duo.bob.contact(duo.alice)?.pairings.allSatisfy { !$0.isMuted } == true)
    }

    @Test func `a fresh offer that an older pairing would outrank is refused, and changes nothing`() throws {
        let duo = try Duo()
        duo.alice.skew = 599
        try duo.bob.pair(with: duo.alice)
        duo.alice.skew = 0
        duo.alice.restore(duo.alice.stored)
        // Alice's own mark is not far enough ahead to stop her.
        let offer = try duo.alice.offer(for: duo.bob)
        #expect(offer.header.isFresh)
        let before = duo.bob.stored.records
        #expect(try duo.bob.refusal(.take(.offer(offer), CodeOptions())) == .clockSuspect)
        #expect(duo.bob.stored.records == before)
        duo.clock.advance(300)
        #expect(try duo.bob.refusal(.take(.offer(offer), CodeOptions())) == nil)
    }

    @Test func `a fifth pairing ends the lowest ranked one that does not send`() throws {
        let duo = try Duo()
        var made: [PairingID] = []
        for _ in 0..<5 {
            made.append(try duo.alice.pair(with: duo.bob))
            try duo.alice.say("under the newest", to: duo.bob)
            duo.clock.advance(1)
        }
        for (one, other) in [(duo.alice, duo.bob), (duo.bob, duo.alice)] {
            #expect(one.contact(other)?.pairings.map(\.id) == Array(made.dropFirst()))
            #expect(one.pairing(other)?.id == made.last)
            #expect(one.book.pairings[made[0]]?.rotation == nil)
            #expect(one.book.pairings[made[0]]?.epochNames.isEmpty == false)
        }
    }

    @Test func `a fifth pairing never ends itself, even if it ranks lowest`() throws {
        let duo = try Duo()
        // Four answers by Alice, whose clock was ten minutes ahead.
        duo.alice.skew = 590
        for _ in 0..<4 {
            duo.clock.advance(1)
            try duo.bob.pair(with: duo.alice)
        }
        duo.alice.skew = 0
        let fifth = try duo.alice.pair(with: duo.bob)
        for (one, other) in [(duo.alice, duo.bob), (duo.bob, duo.alice)] {
            #expect(one.contact(other)?.pairings.count == 4)
            #expect(one.book.pairings[fifth]?.rotation != nil)
            #expect(one.contact(other)?.pairings.contains { $0.id == fifth } == true)
        }
    }
}
