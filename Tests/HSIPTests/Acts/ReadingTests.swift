import HSIP
import Support
import Testing
import VaultCrypto

/// Which key opens a message, and what a message may not do (Schemas/hsip-xc1.md section 7).
struct ReadingTests {
    private func message(_ envelope: MessageEnvelope, from header: PeerID) throws -> MessageEnvelope {
        try MessageEnvelope(bytes: [1] + header.bytes + Array(envelope.bytes.dropFirst(33)))
    }

    @Test func `each direction has its own key`() throws {
        let duo = try Duo.acquainted()
        let forth = try duo.alice.sealing("forth", to: duo.bob)
        let back = try duo.bob.sealing("back", to: duo.alice)
        #expect(!areEqual(forth.reserved.key, back.reserved.key))
        #expect(areEqual(forth.reserved.key, duo.bob.rotation(duo.alice)?.current.keys.receive))
        #expect(areEqual(back.reserved.key, duo.alice.rotation(duo.bob)?.current.keys.receive))
        #expect(try duo.bob.open(forth.envelope) == "forth")
        #expect(try duo.alice.open(back.envelope) == "back")
    }

    @Test func `one's own message is a note, and reflected under another header it does not open`() throws {
        let duo = try Duo.paired()
        let mine = try duo.alice.seal("mine", to: duo.bob)
        let before = duo.alice.stored.records
        let outcome = try duo.alice.perform(.read(mine, ReadRequest()))
        #expect(outcome.notices == [.ownMessage])
        #expect(try duo.alice.perform(.read(mine, ReadRequest(from: duo.bob.id))).notices == [.ownMessage])
        let reflected = try message(mine, from: duo.bob.id)
        #expect(try duo.alice.refusal(.read(reflected, ReadRequest())) == .cannotOpen)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `the header only chooses whose keys are tried`() throws {
        let duo = try Duo.acquainted()
        let (carol, stranger) = (try duo.stranger(), try duo.stranger("Dan"))
        try duo.alice.pair(with: carol)
        let envelope = try duo.bob.seal("from Bob", to: duo.alice)
        let before = duo.alice.stored.records
        func refused(_ header: TestPeer, from: TestPeer? = nil) throws -> HSIPError? {
            let swapped = try message(envelope, from: header.id)
            return try duo.alice.refusal(.read(swapped, ReadRequest(from: from?.id)))
        }
        #expect(try refused(carol) == .cannotOpen)
        #expect(try refused(stranger) == .unknownSender)
        #expect(try refused(carol, from: duo.bob) == .senderMismatch)
        #expect(try refused(stranger, from: duo.bob) == .senderMismatch)
        #expect(try refused(duo.bob, from: carol) == .cannotOpen)
        #expect(try refused(duo.bob, from: stranger) == .unknownContact)
        #expect(duo.alice.stored.records == before)
        #expect(try duo.alice.open(envelope) == "from Bob")
    }

    @Test func `a changed message does not open`() throws {
        let duo = try Duo.acquainted()
        let bytes = try duo.bob.seal("text", to: duo.alice).bytes
        let before = duo.alice.stored.records
        for place in 33..<bytes.count {
            var changed = bytes
            changed[place] ^= 1
            let envelope = try MessageEnvelope(bytes: changed)
            #expect(try duo.alice.refusal(.read(envelope, ReadRequest())) == .cannotOpen)
        }
        #expect(duo.alice.stored.records == before)
    }

    @Test func `a message is read once; reading it again is said and writes nothing`() throws {
        let duo = try Duo.acquainted()
        let envelope = try duo.bob.seal("once", to: duo.alice)
        let first = try duo.alice.opening(envelope)
        #expect(first.text == "once" && !first.message.isReread)
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.read(envelope, ReadRequest())) == .replayed)
        let again = try duo.alice.opening(envelope, ReadRequest(isReread: true))
        #expect(again.text == "once" && again.message.isReread)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `asked to reread what is new, it is read for the first time`() throws {
        let duo = try Duo.acquainted()
        let envelope = try duo.bob.seal("new", to: duo.alice)
        #expect(try !duo.alice.opening(envelope, ReadRequest(isReread: true)).message.isReread)
        #expect(try duo.alice.refusal(.read(envelope, ReadRequest())) == .replayed)
    }

    @Test func `any order will do`() throws {
        let duo = try Duo.acquainted()
        let envelopes = try (0..<20).map { try duo.bob.seal("\($0)", to: duo.alice) }
        for (number, envelope) in envelopes.enumerated().reversed() {
            #expect(try duo.alice.open(envelope) == "\(number)")
        }
        #expect(duo.alice.rotation(duo.bob)?.current.received == 21)
    }

    @Test func `a code inside is reported, not taken`() throws {
        let duo = try Duo.acquainted()
        let offer = try duo.bob.offer(for: duo.alice)
        let envelope = try duo.bob.seal("here: \(offer.text) bye", to: duo.alice)
        #expect(try duo.alice.opening(envelope).notices == [.carries(.offer)])
        #expect(duo.alice.book.offers[offer.ref] == nil)
        #expect(try duo.alice.refusal(.read(envelope, ReadRequest())) == .replayed)
        // Read, but not taken: taking it is still possible.
        let taken = try duo.alice.perform(.takeInside(envelope, CodeOptions()))
        #expect(taken.code?.kind == .answer)
        #expect(duo.alice.book.offers[offer.ref] != nil)
    }

    @Test func `a message whose code is refused was not read`() throws {
        let duo = try Duo.acquainted()
        let old = try duo.bob.offer(OfferRequest(ttlMinutes: 1))
        let envelope = try duo.bob.seal(old.text, to: duo.alice)
        duo.clock.advance(.hour)
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.takeInside(envelope, CodeOptions())) == .codeExpired)
        #expect(duo.alice.stored.records.changes(from: before) == [.clock])
        #expect(try duo.alice.open(envelope) == old.text)
        let plain = try duo.bob.seal("no code", to: duo.alice)
        #expect(try duo.alice.refusal(.takeInside(plain, CodeOptions())) == .noCode)
        #expect(try duo.alice.open(plain) == "no code")
    }

    @Test func `more messages than the limit are refused`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.plant(for: duo.bob) { $0.current.received = 999 }
        let (last, over) = (try duo.bob.seal("1000", to: duo.alice), try duo.bob.seal("1001", to: duo.alice))
        #expect(try duo.alice.open(last) == "1000")
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.read(over, ReadRequest())) == .peerOverLimit)
        #expect(try duo.alice.open(last, ReadRequest(isReread: true)) == "1000")
        #expect(duo.alice.stored.records == before)
    }

    @Test func `a peer's U+0000 is opened, what is no text is not`() throws {
        let duo = try Duo.acquainted()
        func sealed(_ bytes: [UInt8], _ nonce: UInt8) throws -> MessageEnvelope {
            let key = try #require(duo.alice.rotation(duo.bob)?.current.keys.receive)
            let nonce = [UInt8](repeating: nonce, count: 12)
            let box = try ChaCha20Poly1305.seal(
                bytes,
                key: key,
                nonce: nonce,
                authenticating: MessageCipher.associatedData
            )
            return try MessageEnvelope(bytes: [1] + duo.bob.id.bytes + nonce + box.tag + box.ciphertext)
        }
        #expect(try duo.alice.open(try sealed([0x61, 0, 0x62], 1)) == "a\u{0}b")
        let before = duo.alice.stored.records
        let damaged = try sealed([0xFF, 0xFE], 2)
        #expect(try duo.alice.refusal(.read(damaged, ReadRequest())) == .malformedMessage)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `someone in the trash is no one`() throws {
        let duo = try Duo.acquainted()
        let envelope = try duo.bob.seal("hello?", to: duo.alice)
        try duo.alice.perform(.removeContact(duo.bob.id))
        #expect(try duo.alice.refusal(.read(envelope, ReadRequest())) == .unknownSender)
    }
}
