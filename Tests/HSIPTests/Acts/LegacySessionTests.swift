import HSIP
import Support
import Testing
import VaultCrypto

/// Keys that come from older programs: one for both directions (Schemas/hsip-xc1.md sections 7 and 9).
struct LegacySessionTests {
    private let duo: Duo
    private let key: [UInt8]

    init() throws {
        duo = try Duo()
        key = duo.alice.entropy.bytes(32)
    }

    private func imported(_ key: [UInt8], from peer: PeerID, as alias: String) throws -> Event {
        .importLegacy(LegacyImport(key: try Secret(copying: key), peerID: peer, alias: alias))
    }

    /// Both hold the key, under their true PeerIDs.
    private func importBoth() throws {
        try duo.alice.perform(imported(key, from: duo.bob.id, as: "bob"))
        try duo.bob.perform(imported(key, from: duo.alice.id, as: "alice"))
    }

    @Test func `an imported key serves both directions`() throws {
        try importBoth()
        try duo.alice.say("forth", to: duo.bob)
        try duo.bob.say("back", to: duo.alice)
        let sealed = try duo.alice.sealing("x", to: duo.bob)
        #expect(ConstantTime.equal(sealed.reserved.key, key))
        #expect(sealed.reserved.sent == 2 && sealed.reserved.limit == 1_000)
        #expect(duo.alice.contact(duo.bob)?.identityKey == nil)
    }

    @Test func `its messages are those of the older programs, byte for byte`() throws {
        try importBoth()
        let envelope = try duo.alice.seal("same bytes", to: duo.bob)
        let box = try ChaCha20Poly1305.seal(
            Array("same bytes".utf8),
            key: key,
            nonce: envelope.nonce,
            authenticating: Array("HSIP-KEYBOARD-v1".utf8)
        )
        #expect(envelope.bytes == [1] + duo.alice.id.bytes + envelope.nonce + box.tag + box.ciphertext)
    }

    @Test func `the keys of unfinished programs are refused`() throws {
        let before = duo.alice.stored.records
        for dummy in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 42, count: 32), Array(0..<32)] {
            #expect(try duo.alice.refusal(imported(dummy, from: duo.bob.id, as: "bob")) == .keyRefused)
        }
        #expect(try duo.alice.refusal(imported([1, 2, 3], from: duo.bob.id, as: "bob")) == .malformed)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `a key is known again, also for someone else, also after it was wiped`() throws {
        let carol = try duo.stranger()
        try duo.alice.perform(imported(key, from: duo.bob.id, as: "bob"))
        #expect(try duo.alice.refusal(imported(key, from: duo.bob.id, as: "bob")) == .keyKnown)
        #expect(try duo.alice.refusal(imported(key, from: carol.id, as: "carol")) == .keyKnown)
        #expect(try duo.alice.revoke(duo.bob) == nil)
        #expect(duo.alice.book.pairings.values.allSatisfy { $0.rotation == nil })
        #expect(try duo.alice.refusal(imported(key, from: carol.id, as: "carol")) == .keyKnown)
        try duo.alice.live(400 * .day)
        #expect(try duo.alice.refusal(imported(key, from: carol.id, as: "carol")) == .keyKnown)
    }

    @Test func `names and owners are checked as for anybody`() throws {
        try duo.alice.perform(imported(key, from: duo.bob.id, as: "bob"))
        let (other, carol) = (duo.alice.entropy.bytes(32), try duo.stranger())
        let alice = duo.alice
        func refused(_ peer: PeerID, _ alias: String) throws -> HSIPError? {
            try alice.refusal(imported(other, from: peer, as: alias))
        }
        #expect(try refused(alice.id, "me") == .selfPairing)
        #expect(try refused(carol.id, "bob") == .nameCollision(existing: duo.bob.id, new: carol.id))
        #expect(try refused(carol.id, "") == .malformed)
        #expect(try refused(duo.bob.id, "robert") == .identityKnown(as: duo.bob.id))
        try alice.take(.revoke(carol.book.identity.revocation), CodeOptions(isConfirmed: true))
        #expect(try refused(carol.id, "carol") == .identityRevoked)
        for hours in [0, 721] as [UInt16] {
            let event = Event.importLegacy(
                LegacyImport(key: try Secret(copying: other), peerID: carol.id, alias: "c", lifeHours: hours)
            )
            #expect(try alice.refusal(event) == .malformed)
        }
        try alice.perform(.removeContact(duo.bob.id))
        #expect(try refused(duo.bob.id, "bob") == .nameCollision(existing: duo.bob.id, new: duo.bob.id))
    }

    @Test func `an own message that comes back under another header is reflected`() throws {
        try importBoth()
        let mine = try duo.alice.seal("mine", to: duo.bob)
        #expect(duo.alice.book.seen.keys.contains { $0.isOwn })
        let reflected = try MessageEnvelope(
            bytes: [1] + duo.bob.id.bytes + Array(mine.bytes.dropFirst(33))
        )
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.read(reflected, ReadRequest())) == .reflected)
        #expect(try duo.alice.refusal(.read(reflected, ReadRequest(isReread: true))) == .reflected)
        // With the own header it is a note, and with --from the sent nonces decide.
        #expect(try duo.alice.perform(.read(mine, ReadRequest())).notices == [.ownMessage])
        #expect(try duo.alice.refusal(.read(mine, ReadRequest(from: duo.bob.id))) == .reflected)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `a foreign header is opened with the contact named, and only then`() throws {
        try importBoth()
        let envelope = try duo.bob.seal("from an old app", to: duo.alice)
        let random = [UInt8](repeating: 9, count: 32)
        let foreign = try MessageEnvelope(bytes: [1] + random + Array(envelope.bytes.dropFirst(33)))
        #expect(try duo.alice.refusal(.read(foreign, ReadRequest())) == .unknownSender)
        // Some old programs write the reader's PeerID into the header.
        let readers = try MessageEnvelope(
            bytes: [1] + duo.alice.id.bytes + Array(envelope.bytes.dropFirst(33))
        )
        #expect(try duo.alice.open(readers, ReadRequest(from: duo.bob.id)) == "from an old app")
        #expect(try duo.alice.refusal(.read(foreign, ReadRequest(from: duo.bob.id))) == .replayed)
    }

    @Test func `up to 4096 messages are read under one imported key`() throws {
        try importBoth()
        try duo.alice.plant(for: duo.bob) { $0.current.received = 4_095 }
        let (last, over) = (try duo.bob.seal("4096", to: duo.alice), try duo.bob.seal("x", to: duo.alice))
        #expect(try duo.alice.open(last) == "4096")
        #expect(try duo.alice.refusal(.read(over, ReadRequest())) == .peerOverLimit)
    }

    @Test func `an imported key has no codes: at its end only a pairing helps`() throws {
        try importBoth()
        #expect(try duo.alice.refusal(.rotate(duo.bob.id, OfferRequest())) == .noSession)
        #expect(try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest())).code?.kind == .offer)
        try duo.alice.plant(for: duo.bob) { $0.current.sent = 999 }
        let last = try duo.alice.sealing("1000", to: duo.bob)
        #expect(last.notices.count == 1 && duo.alice.rotation(duo.bob)?.out == nil)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) != nil)
        #expect(try duo.alice.revoke(duo.bob) == nil)
    }

    @Test func `a true PeerID is pinned silently by the first pairing, and the old key ranks below`() throws {
        try importBoth()
        let late = try duo.bob.seal("under the old key", to: duo.alice)
        let answer = try duo.bob.answer(try duo.alice.offer(for: duo.bob))
        #expect(try duo.alice.take(.answer(answer)).notices.isEmpty)
        #expect(duo.alice.contact(duo.bob)?.identityKey == duo.bob.book.identity.publicKey)
        #expect(duo.alice.contact(duo.bob)?.isRepaired == false)
        #expect(duo.alice.pairing(duo.bob)?.profile == .dual)
        #expect(try duo.alice.open(late) == "under the old key")
        #expect(try duo.alice.refusal(imported(key, from: duo.bob.id, as: "bob")) == .keyKnown)
        // Bob has heard nothing under the pairing: an imported key counts as confirmed.
        #expect(duo.bob.pairing(duo.alice)?.profile == .single)
        try duo.alice.say("new keys", to: duo.bob)
        #expect(duo.bob.pairing(duo.alice)?.profile == .dual)
    }

    @Test func `a random PeerID is a question; then the contact and what is bound to it move along`() throws {
        let random = try #require(PeerID(bytes: [UInt8](repeating: 9, count: 32)))
        try duo.alice.perform(imported(key, from: random, as: "bob"))
        try duo.alice.perform(.setContact(random, ContactChange(note: "tall")))
        let (used, left) = (
            try duo.alice.offer(OfferRequest(contact: random)),
            try duo.alice.offer(OfferRequest(contact: random))
        )
        let answer = try duo.bob.answer(used)
        let before = duo.alice.stored.records
        #expect(
            try duo.alice.refusal(.take(.answer(answer), CodeOptions()))
                == .identityChanged(old: random, new: duo.bob.id)
        )
        #expect(duo.alice.stored.records == before)
        try duo.alice.take(.answer(answer), CodeOptions(isConfirmed: true))
        #expect(duo.alice.book.contacts[random] == nil)
        let moved = try #require(duo.alice.contact(duo.bob))
        #expect(moved.alias == "bob" && moved.note == "tall" && moved.trust == .unverified)
        #expect(moved.pairings.count == 2)
        #expect(duo.alice.book.pairings.values.allSatisfy { $0.contact == duo.bob.id })
        // The other offer to the same person is still bound to that person.
        #expect(duo.alice.book.offers[left.ref]?.contact == duo.bob.id)
        #expect(
            try duo.alice.refusal(.take(.answer(try duo.stranger().answer(left)), CodeOptions()))
                == .identityChanged(old: duo.bob.id, new: try duo.stranger().id)
        )
        try duo.alice.say("paired", to: duo.bob)
    }

    @Test func `a legacy key that joins four pairings ends the lowest of them, not itself`() throws {
        for _ in 0..<4 {
            try duo.alice.pair(with: duo.bob)
            duo.clock.advance(1)
        }
        let outcome = try duo.alice.perform(imported(key, from: duo.bob.id, as: "bob"))
        #expect(outcome.pairing.flatMap { duo.alice.book.pairings[$0]?.rotation } != nil)
        #expect(duo.alice.contact(duo.bob)?.pairings.count == 4)
        #expect(duo.alice.pairing(duo.bob)?.profile == .dual)
    }

    @Test func `of two imported keys the newer one sends`() throws {
        try importBoth()
        duo.clock.advance(1)
        let newer = duo.alice.entropy.bytes(32)
        try duo.alice.perform(imported(newer, from: duo.bob.id, as: "bob"))
        #expect(ConstantTime.equal(try duo.alice.sealing("x", to: duo.bob).reserved.key, newer))
    }

    @Test func `only an imported key is given out, and then someone else may count under it`() throws {
        try importBoth()
        let outcome = try duo.alice.perform(.exportLegacy(duo.bob.id))
        guard case .exported(let secret) = outcome.product else {
            Issue.record("the key is given out")
            return
        }
        #expect(ConstantTime.equal(secret, key))
        #expect(outcome.notices == [.counterUnreliable])
        #expect(try duo.alice.sealing("x", to: duo.bob).notices == [.counterUnreliable])
        let paired = try Duo.paired()
        #expect(try paired.alice.refusal(.exportLegacy(paired.bob.id)) == .exportRefused)
    }

    @Test func `a restored imported key seals nothing, and its count is not to be trusted`() throws {
        try importBoth()
        duo.alice.restore(duo.alice.stored)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .restored(code: nil))
        try duo.alice.open(try duo.bob.seal("x", to: duo.alice))
        #expect(duo.alice.pairing(duo.bob)?.isCounterUnreliable == true)
    }
}
