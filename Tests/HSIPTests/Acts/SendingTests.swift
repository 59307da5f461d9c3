import HSIP
import Support
import Testing
import VaultCrypto

/// Numbers, limits and ends of what may be sealed (Schemas/hsip-xc1.md section 8).
struct SendingTests {
    private func pair(lifeHours: UInt16 = 168, limit: UInt16 = 1_000) throws -> Duo {
        let duo = try Duo()
        try duo.alice.pair(with: duo.bob, OfferRequest(lifeHours: lifeHours, limit: limit))
        try duo.alice.say("hello", to: duo.bob)
        return duo
    }

    @Test func `each message takes the next number and another nonce`() throws {
        let duo = try Duo.paired()
        var nonces: Set<[UInt8]> = []
        for number in UInt16(1)...5 {
            let sealed = try duo.alice.sealing("the same text", to: duo.bob)
            #expect(sealed.reserved.sent == number && sealed.reserved.limit == 1_000)
            #expect(sealed.reserved.endsAt == duo.clock.now + 168 * 3_600)
            #expect(nonces.insert(sealed.envelope.nonce).inserted)
            #expect(sealed.envelope.sender == duo.alice.id)
            #expect(duo.alice.rotation(duo.bob)?.current.sent == number)
        }
        #expect(duo.alice.rotation(duo.bob)?.current.received == 0)
    }

    @Test func `with a broken generator and a counter set back, different texts get different nonces`() throws
    {
        let duo = try Duo.paired()
        let stuck = Entropy { [UInt8](repeating: 0, count: $0) }
        let before = duo.alice.stored
        var nonces: Set<[UInt8]> = []
        for number in 0..<50 {
            let alice = TestPeer(before, clock: duo.clock, seed: "")
            alice.entropy = stuck
            #expect(nonces.insert(try alice.seal("text \(number)", to: duo.bob).nonce).inserted)
        }
    }

    @Test func `a number is for one text, not for two`() throws {
        let duo = try Duo.paired()
        let text = try Secret.of("one")
        let outcome = try duo.alice.perform(.send(duo.bob.id, plaintext: text))
        guard case .reserved(let reserved) = outcome.product else { return }
        #expect(throws: HSIPError.badPlaintext) { try reserved.seal(try .of("two")) }
        #expect(try reserved.seal(text) == (try reserved.seal(text)))
    }

    @Test(arguments: [2, MessageCipher.longestPlaintext + 1])
    func `a text that cannot be sealed costs no number`(count: Int) throws {
        let duo = try Duo.paired()
        let text = count == 2 ? "a\u{0}" : String(repeating: "x", count: count)
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of(text))) == .badPlaintext)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `what is sealed is never what went in`() throws {
        let duo = try Duo.paired()
        for text in ["", "short", String(repeating: "long ", count: 200)] {
            let envelope = try duo.alice.seal(text, to: duo.bob)
            #expect(Array(envelope.ciphertext) != Array(text.utf8) || text.isEmpty)
            #expect(envelope.bytes.count == 61 + text.utf8.count)
            #expect(try duo.bob.open(envelope) == text)
        }
    }

    @Test func `from 900 of 1000 every message says how many are left`() throws {
        let duo = try pair()
        try duo.alice.plant(for: duo.bob) { $0.current.sent = 898 }
        #expect(try duo.alice.sealing("899", to: duo.bob).notices.isEmpty)
        let endsAt = duo.clock.now + 168 * 3_600
        #expect(
            try duo.alice.sealing("900", to: duo.bob).notices == [.rekeySoon(remaining: 100, endsAt: endsAt)]
        )
        #expect(
            try duo.alice.sealing("901", to: duo.bob).notices == [.rekeySoon(remaining: 99, endsAt: endsAt)]
        )
    }

    @Test func `message 1000 goes out with the ROTATE at hand, 1001 is refused with the same code`() throws {
        let duo = try pair()
        try duo.alice.plant(for: duo.bob) { $0.current.sent = 999 }
        let last = try duo.alice.sealing("1000", to: duo.bob)
        let rotate = try #require(duo.alice.rotation(duo.bob)?.out?.rotate)
        #expect(last.reserved.sent == 1_000)
        #expect(last.notices == [.limitReached(code: rotate.text)])
        let before = duo.alice.stored.records
        #expect(
            try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("1001")))
                == .rekeyRequired(code: rotate.text)
        )
        #expect(duo.alice.stored.records == before)
        #expect(try duo.bob.open(last.envelope) == "1000")
        try duo.alice.take(.accept(try duo.bob.accept(rotate)))
        try duo.alice.say("1001", to: duo.bob)
    }

    @Test func `the last message leaves an offer open whose answer may be under way`() throws {
        let duo = try pair()
        let bound = try duo.alice.offer(for: duo.bob)
        let answer = try duo.bob.answer(bound)
        let underWay = try duo.bob.sealing("under way", to: duo.alice)
        try duo.alice.plant(for: duo.bob) { $0.current.sent = 999 }
        let last = try duo.alice.sealing("1000", to: duo.bob)
        #expect(last.notices == [.limitReached(code: bound.text)])
        #expect(
            try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("1001")))
                == .rekeyRequired(code: bound.text)
        )
        try duo.alice.take(.answer(answer))
        #expect(try duo.alice.open(underWay.envelope) == "under way")
        try duo.alice.say("1001", to: duo.bob)
    }

    @Test func `the last message starts a renewal once no offer bound to the contact is in time`() throws {
        let duo = try pair()
        let bound = try duo.alice.offer(for: duo.bob)
        duo.clock.advance(49 * .hour)
        try duo.alice.plant(for: duo.bob) { $0.current.sent = 999 }
        let last = try duo.alice.sealing("1000", to: duo.bob)
        let rotate = try #require(duo.alice.rotation(duo.bob)?.out?.rotate)
        #expect(last.notices == [.limitReached(code: rotate.text)])
        #expect(duo.alice.book.offers[bound.ref]?.isOpen != true)
    }

    @Test func `a limit of one is one message`() throws {
        let duo = try Duo()
        try duo.alice.pair(with: duo.bob, OfferRequest(limit: 1))
        let only = try duo.alice.sealing("only", to: duo.bob)
        let rotate = try #require(duo.alice.rotation(duo.bob)?.out?.rotate)
        #expect(only.notices == [.limitReached(code: rotate.text)])
        #expect(
            try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("two")))
                == .rekeyRequired(code: rotate.text)
        )
        #expect(try duo.bob.open(only.envelope) == "only")
        // A live ROTATE of Alice waits for Bob: his own last number makes no second one.
        _ = try duo.bob.accept(rotate)
        let reply = try duo.bob.sealing("reply", to: duo.alice)
        #expect(duo.bob.rotation(duo.alice)?.out == nil)
        #expect(try duo.alice.open(reply.envelope) == "reply")
    }

    @Test func `an unconfirmed pairing cannot renew: its code is the ANSWER`() throws {
        let duo = try Duo()
        let offer = try duo.alice.offer(OfferRequest(limit: 1))
        let answer = try duo.bob.answer(offer)
        let last = try duo.bob.sealing("only", to: duo.alice)
        #expect(last.notices == [.unconfirmed, .limitReached(code: answer.text)])
        #expect(duo.bob.rotation(duo.alice)?.out == nil)
        #expect(
            try duo.bob.refusal(.send(duo.alice.id, plaintext: .of("two")))
                == .rekeyRequired(code: answer.text)
        )
        #expect(try duo.bob.perform(.rotate(duo.alice.id, OfferRequest())).code == .answer(answer))
        #expect(try duo.bob.perform(.nextCode(duo.alice.id, OfferRequest())).code == .answer(answer))
    }

    @Test func `a code past its time is not shown with the refusal`() throws {
        let duo = try pair(lifeHours: 720, limit: 2)
        try duo.alice.say("last", to: duo.bob)
        try duo.alice.live(7 * .day)
        let rotate = try #require(duo.alice.rotation(duo.bob)?.out?.rotate)
        #expect(
            try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x")))
                == .rekeyRequired(code: rotate.text)
        )
        duo.clock.advance(1)
        let late = try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x")))
        #expect(late == .rekeyRequired(code: nil))
        // Asked for, there is a new attempt.
        #expect(try duo.alice.rotate(duo.bob).attempt == rotate.attempt + 1)
    }

    @Test func `with no attempt left the last message goes out all the same`() throws {
        let duo = try pair()
        try duo.alice.plant(for: duo.bob) { ($0.current.sent, $0.seenAttempt) = (999, .max) }
        let last = try duo.alice.sealing("1000", to: duo.bob)
        #expect(last.notices == [.limitReached(code: nil)])
        #expect(try duo.bob.open(last.envelope) == "1000")
        #expect(try duo.alice.refusal(.rotate(duo.bob.id, OfferRequest())) == .attemptsExhausted)
        #expect(try duo.alice.refusal(.nextCode(duo.bob.id, OfferRequest())) == .attemptsExhausted)
        #expect(try duo.alice.offer(for: duo.bob).header.isFresh == false)
    }

    @Test func `the end of an epoch is the last second for sealing`() throws {
        let duo = try pair(lifeHours: 1)
        duo.clock.advance(.hour)
        #expect(
            try duo.alice.sealing("at the end", to: duo.bob).notices
                == [.rekeySoon(remaining: 998, endsAt: duo.clock.now)]
        )
        duo.clock.advance(1)
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .sessionExpired)
        #expect(duo.alice.stored.records.changes(from: before) == [.clock])
    }

    @Test func `a day before the end every message says so`() throws {
        let duo = try pair(lifeHours: 48)
        duo.clock.advance(24 * .hour - 1)
        #expect(try duo.alice.sealing("x", to: duo.bob).notices.isEmpty)
        duo.clock.advance(1)
        #expect(try duo.alice.sealing("x", to: duo.bob).notices.count == 1)
    }

    @Test func `an expired epoch reads for three days and renews for thirty`() throws {
        let duo = try pair(lifeHours: 1)
        let (first, second) = (try duo.bob.seal("1", to: duo.alice), try duo.bob.seal("2", to: duo.alice))
        try duo.alice.live(.hour + 72 * .hour)
        #expect(try duo.alice.open(first) == "1")
        try duo.alice.live(1)
        #expect(duo.alice.rotation(duo.bob)?.current.keys.receive == nil)
        #expect(try duo.alice.refusal(.read(second, ReadRequest())) == .cannotOpen)
        #expect(duo.alice.rotation(duo.bob)?.current.keys.canRotate == true)

        try duo.alice.live(27 * .day - 1)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .sessionExpired)
        let other = TestPeer(duo.alice.stored, clock: duo.clock, seed: "renews in time")
        #expect(try other.rotate(duo.bob).epoch == 1)
        try duo.alice.live(1)
        #expect(duo.alice.rotation(duo.bob)?.current.keys.canRotate == false)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .lapsed)
        #expect(try duo.alice.refusal(.rotate(duo.bob.id, OfferRequest())) == .lapsed)
        guard case .offer(let offer) = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest())).code
        else {
            Issue.record("a lapsed session is paired again")
            return
        }
        #expect(offer.header.isFresh)
    }

    @Test func `without a session there is nothing to send under`() throws {
        let duo = try Duo.paired()
        #expect(try duo.alice.refusal(.send(try duo.stranger().id, plaintext: .of("x"))) == .unknownContact)
        _ = try duo.alice.revoke(duo.bob)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .revoked)
        var forgotten = try #require(duo.alice.contact(duo.bob))
        forgotten.ended = nil
        try duo.alice.plant(forgotten)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .noSession)
        #expect(try duo.alice.refusal(.rotate(duo.bob.id, OfferRequest())) == .noSession)
        #expect(try duo.alice.refusal(.revokeSessions(duo.bob.id, .none)) == .noSession)
        #expect(try duo.alice.refusal(.exportLegacy(duo.bob.id)) == .noSession)
    }
}
