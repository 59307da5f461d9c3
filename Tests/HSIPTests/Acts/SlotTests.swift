import HSIP
import Support
import Testing
import VaultCrypto

/// Whom a pairing belongs to: one pinned key, one alias (Schemas/hsip-xc1.md section 5, "Slot").
struct SlotTests {
    private let duo: Duo
    private let carol: TestPeer

    init() throws {
        duo = try Duo.paired()
        carol = try duo.stranger()
    }

    private func refused(_ offer: OfferCode, _ request: CodeOptions) throws -> HSIPError? {
        let before = duo.alice.stored.records
        let error = try duo.alice.refusal(.take(.offer(offer), request))
        if error != nil { #expect(duo.alice.stored.records == before) }
        return error
    }

    @Test func `a named contact that comes with another key is refused`() throws {
        let offer = try carol.offer()
        let changed = HSIPError.identityChanged(old: duo.bob.id, new: carol.id)
        #expect(try refused(offer, CodeOptions(contact: duo.bob.id)) == changed)
        #expect(try refused(offer, CodeOptions(alias: "bob")) == changed)
    }

    @Test func `another key on an offer bound to a contact leaves the offer open for the right one`() throws {
        let offer = try duo.alice.offer(for: duo.bob)
        let (wrong, right) = (try carol.answer(offer), try duo.bob.answer(offer))
        #expect(
            try duo.alice.refusal(.take(.answer(wrong), CodeOptions()))
                == .identityChanged(old: duo.bob.id, new: carol.id)
        )
        #expect(duo.alice.book.offers[offer.ref]?.isOpen == true)
        try duo.alice.take(.answer(right))
        #expect(duo.alice.contact(duo.bob)?.pairings.count == 2)
    }

    @Test func `a known identity is no one else, under no name`() throws {
        try duo.alice.pair(with: carol)
        let offer = try duo.bob.offer()
        let known = HSIPError.identityKnown(as: duo.bob.id)
        #expect(try refused(offer, CodeOptions(contact: carol.id)) == known)
        #expect(try refused(offer, CodeOptions(alias: "carol")) == known)
        #expect(try refused(offer, CodeOptions(alias: "robert")) == known)
        let bound = try duo.alice.offer(for: carol)
        let answer = try duo.bob.answer(bound)
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == known)
        #expect(
            try duo.alice.refusal(.take(.answer(answer), CodeOptions(contact: duo.bob.id)))
                == .identityKnown(as: carol.id)
        )
        #expect(try refused(offer, CodeOptions(alias: "bob", contact: duo.bob.id)) == nil)
    }

    @Test func `a taken alias is a question, a new one is not`() throws {
        let twin = try duo.stranger("Bob 2")
        try twin.perform(.setName("Bob"))
        let offer = try twin.offer()
        #expect(
            try refused(offer, CodeOptions()) == .nameCollision(existing: duo.bob.id, new: twin.id)
        )
        #expect(try refused(offer, CodeOptions(alias: "bob-2")) == nil)
        #expect(duo.alice.contact(twin)?.alias == "bob-2")
        #expect(duo.alice.contact(twin)?.sentName == "Bob")
    }

    @Test(arguments: ["BOB", "ｂｏｂ", "𝐛𝐨𝐛"])
    func `a name that looks alike is a warning`(alias: String) throws {
        let outcome = try duo.alice.take(.offer(try carol.offer()), CodeOptions(alias: alias))
        #expect(outcome.notices.contains(.nameLooksAlike(duo.bob.id)))
        let other = try duo.stranger("Dan")
        let quiet = try duo.alice.take(.offer(try other.offer()))
        #expect(quiet.notices == [.unconfirmed])
    }

    @Test(arguments: [
        "\u{200D}\u{200D}\u{200D}\u{200D}\u{200D}", "\u{200C}", "\u{3164}", "\u{2800}\u{2800}", "\u{FE0F}",
        "\u{AD}",
        "\u{115F}\u{1160}", "\u{34F}", "\u{301}",
    ])
    func `an alias that shows nothing is refused, and who sends such a name is called by their PeerID`(
        name: String
    ) throws {
        #expect(try refused(try carol.offer(), CodeOptions(alias: name)) == .malformed)
        #expect(
            try duo.alice.refusal(.setContact(duo.bob.id, ContactChange(alias: name))) == .malformed
        )
        #expect(Alias.suggestion(sentName: name, peerID: carol.id).hasPrefix("peer-"))
    }

    @Test(arguments: [
        "\u{1F469}\u{200D}\u{1F467}", "\u{0645}\u{06CC}\u{200C}\u{062E}\u{0648}", "\u{E9}", "7", "*",
    ])
    func `joiners inside a name that shows something are a part of it`(name: String) {
        #expect(Alias.isValid(name))
    }

    @Test(arguments: ["", " bob", "-x", "a\u{202E}b", String(repeating: "x", count: 65)])
    func `an alias that could hide something is refused`(alias: String) throws {
        #expect(try refused(try carol.offer(), CodeOptions(alias: alias)) == .malformed)
        #expect(
            try duo.alice.refusal(.setContact(duo.bob.id, ContactChange(alias: alias))) == .malformed
        )
    }

    @Test func `an unknown contact cannot be named`() throws {
        #expect(try refused(try carol.offer(), CodeOptions(contact: carol.id)) == .unknownContact)
        let nobody = PeerID(bytes: [UInt8](repeating: 7, count: 32)) ?? carol.id
        for event: Event in [
            .nextCode(nobody, OfferRequest()), .rotate(nobody, OfferRequest()), .removeContact(nobody),
            .restoreContact(nobody), .revokeSessions(nobody, .none), .matched(nobody, .emoji),
            .setContact(nobody, ContactChange()), .exportLegacy(nobody),
        ] {
            #expect(try duo.alice.refusal(event) == .unknownContact)
        }
    }

    @Test func `alias, note and the demand for verification can be changed`() throws {
        try duo.alice.pair(with: carol)
        #expect(
            try duo.alice.refusal(.setContact(carol.id, ContactChange(alias: "bob")))
                == .nameCollision(existing: duo.bob.id, new: carol.id)
        )
        let outcome = try duo.alice.perform(
            .setContact(carol.id, ContactChange(alias: "Bob", note: "from work", requiresVerification: true))
        )
        #expect(outcome.notices == [.nameLooksAlike(duo.bob.id)])
        #expect(duo.alice.contact(carol)?.note == "from work")
        #expect(duo.alice.contact(carol)?.requiresVerification == true)
        let long = String(repeating: "x", count: 1_001)
        #expect(try duo.alice.refusal(.setContact(carol.id, ContactChange(note: long))) == .malformed)
    }

    @Test func `the trash keeps pin, trust and note, and no session comes back`() throws {
        try duo.alice.perform(.matched(duo.bob.id, .safetyNumber))
        try duo.alice.perform(.setContact(duo.bob.id, ContactChange(alias: "bobby", note: "tall")))
        let outcome = try duo.alice.perform(.removeContact(duo.bob.id))
        #expect(outcome.code?.kind == .revoke)
        #expect(duo.alice.contact(duo.bob)?.trashedAt == duo.clock.now)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .unknownContact)
        try duo.alice.pair(with: duo.bob)
        let back = duo.alice.contact(duo.bob)
        #expect(back?.trashedAt == nil && back?.alias == "bobby" && back?.note == "tall")
        #expect(back?.trust == .verified && back?.isRepaired == true)
        #expect(back?.pairings.count == 1)
    }

    @Test func `out of the trash without pairing again there is no session`() throws {
        try duo.alice.perform(.removeContact(duo.bob.id))
        #expect(try duo.alice.perform(.restoreContact(duo.bob.id)).notices.isEmpty)
        #expect(try duo.alice.perform(.restoreContact(duo.bob.id)).notices == [.alreadyDone])
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .revoked)
    }

    @Test func `a name in the trash is not free for someone else`() throws {
        try duo.alice.perform(.removeContact(duo.bob.id))
        #expect(
            try refused(try carol.offer(), CodeOptions(alias: "bob"))
                == .nameCollision(existing: duo.bob.id, new: carol.id)
        )
        #expect(try refused(try carol.offer(), CodeOptions(contact: duo.bob.id)) == .unknownContact)
        // The same identity may come back under another free name.
        try duo.alice.take(.offer(try duo.bob.offer()), CodeOptions(alias: "bob-again"))
        #expect(duo.alice.contact(duo.bob)?.alias == "bob-again")
    }

    @Test func `only trust-new-key replaces a pin; trust starts again and the old sessions end`() throws {
        try duo.alice.perform(.matched(duo.bob.id, .emoji))
        try duo.alice.perform(.setContact(duo.bob.id, ContactChange(note: "tall")))
        let pairing = duo.alice.pairing(duo.bob)?.id
        let open = try duo.alice.offer(for: duo.bob)
        let newBob = try duo.stranger("Bob's new phone")
        let outcome = try duo.alice.perform(.trustNewKey(duo.bob.id, .offer(try newBob.offer())))
        #expect(outcome.contact == newBob.id)
        #expect(duo.alice.contact(duo.bob) == nil)
        let moved = duo.alice.contact(newBob)
        #expect(moved?.alias == "bob" && moved?.note == "tall")
        #expect(moved?.trust == .unverified && moved?.verification == Contact.Verification.none)
        #expect(moved?.verifiedAt == nil && moved?.pairings.isEmpty == true)
        #expect(pairing.flatMap { duo.alice.book.pairings[$0]?.rotation } == nil)
        #expect(duo.alice.book.offers[open.ref]?.isOpen == false)
        #expect(try duo.alice.refusal(.send(newBob.id, plaintext: .of("x"))) == .revoked)
        try duo.alice.pair(with: newBob)
        try duo.alice.say("hello again", to: newBob)
    }

    @Test func `trust-new-key takes no key that is known, revoked, unsigned, my own or not there`() throws {
        let alice = duo.alice
        func refused(_ code: ExchangeCode) throws -> HSIPError? {
            let before = alice.stored.records
            let error = try alice.refusal(.trustNewKey(duo.bob.id, code))
            #expect(alice.stored.records == before)
            return error
        }
        let other = try duo.stranger("Dan")
        try alice.pair(with: other)
        #expect(try refused(.offer(try other.offer())) == .identityKnown(as: other.id))
        #expect(try refused(.offer(try alice.offer())) == .selfPairing)
        let unsigned = try Forge.offer(by: carol, .init(issued: duo.clock.now), isSigned: false)
        #expect(try refused(.offer(unsigned)) == .badSignature)
        #expect(try refused(.revoke(carol.book.identity.revocation)) == .noCode)
        #expect(try refused(.answer(try carol.answer(try other.offer()))) == .unknownOffer)
        try alice.take(.revoke(carol.book.identity.revocation), CodeOptions(isConfirmed: true))
        #expect(try refused(.offer(try carol.offer())) == .identityRevoked)
        let same = try duo.bob.offer()
        #expect(try alice.perform(.trustNewKey(duo.bob.id, .offer(same))).notices == [.alreadyDone])
    }
}

extension Secret {
    /// A plaintext.
    static func of(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }
}
