import HSIP
import Support
import Testing
import VaultCrypto

/// A backup put back: what it may still do (Schemas/hsip-xc1.md section 8, "Restored").
struct RestoreTests {
    private static let warned: [Notice] = [.notComparedSinceRestore, .mayHaveBeenReadBefore]

    @Test func `under a restored epoch nothing is sealed, and reading says that it may be the second time`()
        throws
    {
        let duo = try Duo.acquainted()
        let backup = duo.alice.stored
        let (read, unread) = (try duo.bob.seal("1", to: duo.alice), try duo.bob.seal("2", to: duo.alice))
        try duo.alice.open(read)
        duo.alice.restore(backup)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .restored(code: nil))
        #expect(try duo.alice.opening(read).notices == Self.warned)
        // Reading wrote the record: the flag is content now and survives that.
        #expect(duo.alice.rotation(duo.bob)?.current.isRestored == true)
        #expect(try duo.alice.opening(unread).notices == Self.warned)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .restored(code: nil))
    }

    @Test func `a refused act writes no flags, and they are there all the same`() throws {
        let duo = try Duo.acquainted()
        let bound = try duo.alice.offer(for: duo.bob)
        duo.alice.restore(duo.alice.stored)
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .restored(code: nil))
        #expect(duo.alice.stored.records == before)
        duo.clock.advance(20 * .day)
        let old = try duo.stranger().offer(OfferRequest(ttlMinutes: 1))
        duo.clock.advance(.day)
        #expect(try duo.alice.refusal(.take(.offer(old), CodeOptions())) == .codeExpired)
        #expect(duo.alice.stored.records.changes(from: before) == [.clock])
        #expect(duo.alice.settled.offers[bound.ref]?.isOpen == false)
    }

    @Test func `an own attempt is dropped, an open offer closed`() throws {
        let duo = try Duo.acquainted()
        let offer = try duo.alice.offer()
        let rotate = try duo.alice.rotate(duo.bob)
        let accept = try duo.bob.accept(rotate)
        let answer = try duo.stranger().answer(offer)
        duo.alice.restore(duo.alice.stored)
        #expect(try duo.alice.refusal(.take(.accept(accept), CodeOptions())) == .staleCode)
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == .offerClosed)
        // A new attempt ranks above the lost one, and above those that the backup never knew.
        #expect(try duo.alice.rotate(duo.bob).attempt == rotate.attempt + 256)
    }

    @Test func `renewal after a restore is clean`() throws {
        let duo = try Duo.acquainted()
        duo.alice.restore(duo.alice.stored)
        try duo.alice.renew(with: duo.bob)
        #expect(duo.alice.rotation(duo.bob)?.current.isRestored == false)
        #expect(duo.alice.rotation(duo.bob)?.past.first?.epoch.isRestored == true)
        #expect(try duo.alice.sealing("clean", to: duo.bob).notices == [.notComparedSinceRestore])
    }

    @Test func `renewal by the other side is clean, and serves before it is finished`() throws {
        let duo = try Duo.acquainted()
        duo.alice.restore(duo.alice.stored)
        let accept = try duo.alice.accept(try duo.bob.rotate(duo.alice))
        let forced = try duo.alice.sealing("under next", to: duo.bob)
        #expect(forced.notices == [.notComparedSinceRestore, .readableAfterAccept])
        try duo.bob.take(.accept(accept))
        #expect(try duo.bob.open(forced.envelope) == "under next")
    }

    @Test func `a prepared epoch of the backup seals nothing either`() throws {
        let duo = try Duo.acquainted()
        let accept = try duo.alice.accept(try duo.bob.rotate(duo.alice))
        duo.alice.restore(duo.alice.stored)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .restored(code: nil))
        // Once it is the current one it is a restored one, too.
        try duo.bob.take(.accept(accept))
        try duo.alice.open(try duo.bob.seal("new", to: duo.alice))
        #expect(duo.alice.rotation(duo.bob)?.current.number == 1)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .restored(code: nil))
    }

    @Test func `a second restore marks an epoch that was clean after the first`() throws {
        let duo = try Duo.acquainted()
        duo.alice.restore(duo.alice.stored)
        let accept = try duo.alice.accept(try duo.bob.rotate(duo.alice))
        let backup = duo.alice.stored
        // One number of the prepared epoch is used; then the backup from before that comes back.
        let used = try duo.alice.sealing("number 1", to: duo.bob)
        duo.alice.restore(backup)
        #expect(
            try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("number 1 again")))
                == .restored(code: nil)
        )
        try duo.bob.take(.accept(accept))
        #expect(try duo.bob.open(used.envelope) == "number 1")
    }

    @Test func `a backup with an ACCEPT that the other side has taken is renewed by what pair shows`() throws
    {
        let duo = try Duo.acquainted()
        let accept = try duo.alice.accept(try duo.bob.rotate(duo.alice))
        let backup = duo.alice.stored
        try duo.bob.take(.accept(accept))
        duo.alice.restore(backup)
        // The old ACCEPT would be answered by "already done" for ever; a new ROTATE begins.
        let shown = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest()))
        guard case .rotate(let rotate) = shown.code else {
            Issue.record("\(String(describing: shown.code))")
            return
        }
        // Bob is an epoch ahead: he hands back his own, which promotes Alice.
        let ahead = try duo.bob.perform(.take(.rotate(rotate), CodeOptions()))
        #expect(ahead.notices == [.peerCatchingUp])
        let answered = try duo.alice.take(try #require(ahead.code))
        try duo.bob.take(try #require(answered.code))
        try duo.bob.say("clean", to: duo.alice)
        try duo.alice.say("clean", to: duo.bob)
    }

    @Test func `pair leads out of a backup that is an epoch behind, asked twice`() throws {
        let duo = try Duo.acquainted()
        let first = try duo.alice.rotate(duo.bob)
        let backup = duo.alice.stored
        try duo.alice.take(.accept(try duo.bob.accept(first)))
        try duo.alice.say("in epoch 1", to: duo.bob)
        duo.alice.restore(backup)
        let shown = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest()))
        let answer = try duo.bob.take(try #require(shown.code))
        let theirs = try #require(answer.code)
        // His own ROTATE is under keys that the backup does not have.
        #expect(try duo.alice.refusal(.take(theirs, CodeOptions())) == .staleCode)
        let again = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest()))
        guard case .offer(let offer) = again.code else {
            Issue.record("\(String(describing: again.code))")
            return
        }
        #expect(offer.header.isFresh)
        #expect(try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest())).code == again.code)
        try duo.alice.take(.answer(try duo.bob.answer(offer)))
        try duo.alice.say("clean", to: duo.bob)
        try duo.bob.say("clean", to: duo.alice)
    }

    @Test func `a ROTATE shown after a restore still serves beside the OFFER that came after it`() throws {
        let duo = try Duo.acquainted()
        duo.alice.restore(duo.alice.stored)
        let shown = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest()))
        _ = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest()))
        guard case .rotate(let rotate) = shown.code else { return }
        try duo.alice.take(.accept(try duo.bob.accept(rotate)))
        try duo.alice.say("clean", to: duo.bob)
        try duo.bob.say("clean", to: duo.alice)
    }

    @Test func `the same ROTATE again does not bring a restored ACCEPT back`() throws {
        let duo = try Duo.acquainted()
        let first = try duo.bob.rotate(duo.alice)
        _ = try duo.alice.accept(first)
        duo.alice.restore(duo.alice.stored)
        let outcome = try duo.alice.take(.rotate(first))
        guard case .rotate(let rotate) = outcome.code else {
            Issue.record("\(String(describing: outcome.code))")
            return
        }
        try duo.alice.take(.accept(try duo.bob.accept(rotate)))
        try duo.alice.say("clean", to: duo.bob)
    }

    @Test func `an attempt after a restore goes above those that the backup does not know`() throws {
        let duo = try Duo.acquainted()
        let backup = duo.alice.stored
        // Two more attempts go out after the backup; Bob has accepted the second.
        for _ in 0..<2 {
            duo.clock.advance(8 * .day)
            _ = try duo.alice.rotate(duo.bob)
        }
        _ = try duo.bob.accept(try duo.alice.rotate(duo.bob))
        duo.alice.restore(backup)
        try duo.alice.take(.accept(try duo.bob.accept(try duo.alice.rotate(duo.bob))))
        try duo.alice.say("clean", to: duo.bob)
    }

    @Test func `a backup with an ANSWER that the other side has taken shows a new offer`() throws {
        let duo = try Duo()
        let answer = try duo.bob.answer(try duo.alice.offer())
        let backup = duo.bob.stored
        try duo.alice.take(.answer(answer))
        duo.bob.restore(backup)
        let shown = try duo.bob.perform(.nextCode(duo.alice.id, OfferRequest()))
        guard case .offer(let offer) = shown.code else {
            Issue.record("\(String(describing: shown.code))")
            return
        }
        #expect(offer.header.isFresh)
        try duo.bob.take(.answer(try duo.alice.answer(offer)))
        try duo.bob.say("clean", to: duo.alice)
        try duo.alice.say("clean", to: duo.bob)
    }

    @Test func `if the peer cannot renew, a new offer is fresh`() throws {
        let duo = try Duo()
        let empty = duo.bob.stored
        try duo.alice.pair(with: duo.bob)
        try duo.alice.say("x", to: duo.bob)
        duo.alice.restore(duo.alice.stored)
        duo.bob.restore(empty)
        let rotate = try duo.alice.rotate(duo.bob)
        #expect(try duo.bob.refusal(.take(.rotate(rotate), CodeOptions())) == .staleCode)
        // Of two answers of one second the transcript would decide which pairing sends.
        duo.clock.advance(1)
        let offer = try duo.alice.offer(for: duo.bob)
        #expect(offer.header.isFresh)
        try duo.alice.take(.answer(try duo.bob.answer(offer)))
        try duo.alice.say("again", to: duo.bob)
        try duo.bob.say("again", to: duo.alice)
    }
}
