import HSIP
import Support
import Testing
import VaultCrypto

/// New keys inside a pairing: rules 1 to 6 of Schemas/hsip-xc1.md section 8.
struct RotationTests {
    /// The keys of both, from each one's side, fit together.
    private func agree(_ one: Epoch<HSIPScheme>?, _ other: Epoch<HSIPScheme>?) -> Bool {
        one?.name == other?.name && one?.number == other?.number
            && areEqual(one?.keys.send, other?.keys.receive)
            && areEqual(one?.keys.receive, other?.keys.send)
            && areEqual(one?.keys.chain, other?.keys.chain)
    }

    @Test func `a ROTATE and its ACCEPT make the next epoch on both sides`() throws {
        let duo = try Duo.acquainted()
        let old = duo.alice.rotation(duo.bob)?.current
        let rotate = try duo.alice.rotate(duo.bob)
        #expect(rotate.epoch == 1 && rotate.attempt == 1)
        let accept = try duo.bob.accept(rotate)
        // Bob goes on sending under the old epoch until he hears under the new one.
        #expect(duo.bob.rotation(duo.alice)?.current.number == 0)
        try duo.alice.take(.accept(accept))
        let (mine, theirs) = (duo.alice.rotation(duo.bob), duo.bob.rotation(duo.alice))
        #expect(agree(mine?.current, theirs?.next?.epoch))
        #expect(mine?.current.sent == 0 && mine?.out == nil && mine?.seenAttempt == 0)
        #expect(!areEqual(mine?.current.keys.send, old?.keys.send))
        try duo.bob.say("under the old", to: duo.alice)
        try duo.alice.say("under the new", to: duo.bob)
        #expect(agree(duo.alice.rotation(duo.bob)?.current, duo.bob.rotation(duo.alice)?.current))
        #expect(duo.bob.rotation(duo.alice)?.next == nil)
        try duo.bob.say("also under the new", to: duo.alice)
        #expect(duo.bob.rotation(duo.alice)?.current.sent == 1)
    }

    @Test func `a replaced epoch keeps what opens late messages and late codes, and nothing else`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.renew(with: duo.bob)
        let keys = try #require(duo.alice.rotation(duo.bob)?.past.first?.epoch.keys)
        #expect(keys.receive != nil && keys.rotate != nil)
        #expect(keys.send == nil && keys.sendNonce == nil && keys.chain == nil)
    }

    @Test func `a code is shown again as it is, and a ROTATE taken again shows the same ACCEPT`() throws {
        let duo = try Duo.acquainted()
        let rotate = try duo.alice.rotate(duo.bob)
        #expect(try duo.alice.rotate(duo.bob) == rotate)
        #expect(try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest())).code == .rotate(rotate))
        let accept = try duo.bob.accept(rotate)
        let before = duo.bob.stored.records
        #expect(try duo.bob.accept(rotate) == accept)
        #expect(try duo.bob.perform(.rotate(duo.alice.id, OfferRequest())).code == .accept(accept))
        #expect(try duo.bob.perform(.nextCode(duo.alice.id, OfferRequest())).code == .accept(accept))
        #expect(duo.bob.stored.records == before)
    }

    @Test func `the same codes later say already done`() throws {
        let duo = try Duo.acquainted()
        let rotate = try duo.alice.rotate(duo.bob)
        let accept = try duo.bob.accept(rotate)
        try duo.alice.take(.accept(accept))
        try duo.alice.say("new", to: duo.bob)
        let before = (duo.alice.stored.records, duo.bob.stored.records)
        duo.clock.advance(60 * .hour)
        #expect(try duo.alice.take(.accept(accept)).notices == [.alreadyDone])
        #expect(try duo.bob.take(.rotate(rotate)).notices == [.alreadyDone])
        #expect(duo.alice.stored.records == before.0 && duo.bob.stored.records == before.1)
    }

    @Test func `a rotation closes the offers bound to the contact and counts the others`() throws {
        let duo = try Duo.acquainted()
        let (bound, free) = (try duo.alice.offer(for: duo.bob), try duo.alice.offer())
        let theirs = try duo.bob.offer(for: duo.alice)
        let outcome = try duo.alice.perform(.rotate(duo.bob.id, OfferRequest()))
        #expect(outcome.notices == [.openOffers(1)])
        #expect(duo.alice.book.offers[bound.ref]?.isOpen == false)
        #expect(duo.alice.book.offers[free.ref]?.isOpen == true)
        guard case .rotate(let rotate) = outcome.code else { return }
        _ = try duo.bob.accept(rotate)
        #expect(duo.bob.book.offers[theirs.ref]?.isOpen == false)
    }

    @Test func `the first thing read confirms, be it a ROTATE`() throws {
        let duo = try Duo.paired()
        #expect(duo.bob.contact(duo.alice)?.pairings.first?.isConfirmed == false)
        _ = try duo.bob.accept(try duo.alice.rotate(duo.bob))
        #expect(duo.bob.contact(duo.alice)?.pairings.first?.isConfirmed == true)
    }

    @Test func `a ROTATE and an ACCEPT have their times`() throws {
        let duo = try Duo.acquainted()
        duo.alice.skew = 601
        let early = try duo.alice.rotate(duo.bob, OfferRequest(ttlMinutes: 60))
        #expect(try duo.bob.refusal(.take(.rotate(early), CodeOptions())) == .codeFromFuture(seconds: 601))
        duo.alice.skew = 0
        duo.clock.advance(601 + 60 * .minute + 600)
        let inTime = TestPeer(duo.bob.stored, clock: duo.clock, seed: "in time")
        let accept = try inTime.accept(early, CodeOptions(reply: OfferRequest(ttlMinutes: 1)))
        duo.clock.advance(1)
        #expect(try duo.bob.refusal(.take(.rotate(early), CodeOptions())) == .codeExpired)
        // The ROTATE is over, the ACCEPT is not: it counts.
        let other = TestPeer(duo.alice.stored, clock: duo.clock, seed: "other")
        #expect(try other.refusal(.take(.accept(accept), CodeOptions())) == nil)
        duo.clock.advance(60 + 600)
        #expect(try duo.alice.refusal(.take(.accept(accept), CodeOptions())) == .codeExpired)
    }

    @Test func `an ACCEPT whose epoch is over is too late`() throws {
        let duo = try Duo.acquainted()
        let accept = try duo.bob.accept(try duo.alice.rotate(duo.bob, OfferRequest(lifeHours: 1)))
        duo.clock.advance(.hour)
        let inTime = TestPeer(duo.alice.stored, clock: duo.clock, seed: "in time")
        #expect(try inTime.refusal(.take(.accept(accept), CodeOptions())) == nil)
        duo.clock.advance(1)
        #expect(try duo.alice.refusal(.take(.accept(accept), CodeOptions())) == .codeExpired)
    }

    @Test(arguments: [(169, 1_000), (168, 1_000), (168, 500)] as [(UInt16, UInt16)])
    func `an ACCEPT may only lower what was proposed`(life: UInt16, limit: UInt16) throws {
        let duo = try Duo.acquainted()
        let rotate = try duo.alice.rotate(duo.bob, OfferRequest(lifeHours: 168, limit: 500))
        let bob = try #require(duo.bob.rotation(duo.alice))
        let made = try HSIPScheme.accept(
            rotate,
            under: bob.current.keys,
            terms: .rotation(at: duo.clock.now, lifeHours: life, limit: limit),
            party: try Forge.party(duo.bob, duo.alice)
        )
        let before = duo.alice.stored.records
        let error = try duo.alice.refusal(.take(.accept(made.accept), CodeOptions()))
        #expect(error == ((life, limit) == (168, 500) ? nil : .malformed))
        if error != nil { #expect(duo.alice.stored.records == before) }
    }

    @Test func `who has only the session keys, or only the identity, cannot rotate`() throws {
        let duo = try Duo.acquainted()
        let mallory = try duo.stranger("Mallory")
        let epoch = try #require(duo.alice.rotation(duo.bob)?.current)
        // The session's keys with another identity.
        let thief = HSIPScheme.Party(
            identity: mallory.book.identity,
            peerID: duo.bob.id,
            peerKey: duo.bob.book.identity.publicKey,
            role: .offerer,
            entropy: mallory.entropy
        )
        let stolen = try HSIPScheme.rotate(
            under: epoch.keys,
            name: epoch.name,
            epoch: 1,
            attempt: 1,
            suite: .two,
            terms: .rotation(at: duo.clock.now),
            party: thief
        ).0
        // The identity with other keys.
        var guessed = epoch
        guessed.keys.rotate = Secret(try mallory.entropy.secret(32))
        let forged = try Forge.rotate(
            by: duo.alice,
            to: duo.bob,
            attempt: 1,
            terms: .rotation(at: duo.clock.now),
            parent: guessed
        )
        // And Bob's own, reflected.
        let own = try duo.bob.rotate(duo.alice)
        let before = duo.bob.stored.records
        for code in [stolen, forged, own] {
            #expect(try duo.bob.refusal(.take(.rotate(code), CodeOptions())) == .badSignature)
        }
        #expect(try duo.bob.refusal(.take(.rotate(own), CodeOptions(contact: mallory.id))) == .staleCode)
        #expect(duo.bob.stored.records == before)
    }

    @Test func `a ROTATE for no live epoch is stale`() throws {
        let duo = try Duo.acquainted()
        let (bob, carol) = (duo.bob, try duo.stranger())
        try carol.pair(with: bob)
        let rotate = try duo.alice.rotate(duo.bob)
        #expect(try carol.refusal(.take(.rotate(rotate), CodeOptions())) == .staleCode)
        let accept = try bob.accept(rotate)
        #expect(try carol.refusal(.take(.accept(accept), CodeOptions())) == .staleCode)
        #expect(try bob.refusal(.take(.accept(accept), CodeOptions())) == .staleCode)
    }

    @Test func `forced to, one sends under the prepared epoch, and says so`() throws {
        let duo = try Duo()
        try duo.alice.pair(with: duo.bob, OfferRequest(limit: 1))
        try duo.alice.say("1", to: duo.bob)
        let rotate = try #require(duo.alice.rotation(duo.bob)?.out?.rotate)
        let accept = try duo.bob.accept(rotate)
        try duo.bob.say("last of the old", to: duo.alice)
        let forced = try duo.bob.sealing("under next", to: duo.alice)
        #expect(forced.notices == [.readableAfterAccept])
        #expect(duo.bob.rotation(duo.alice)?.next?.epoch.sent == 1)
        #expect(try duo.alice.refusal(.read(forced.envelope, ReadRequest())) == .cannotOpen)
        try duo.alice.take(.accept(accept))
        #expect(try duo.alice.open(forced.envelope) == "under next")
        // The number stays used when the prepared epoch becomes the current one.
        try duo.alice.say("now", to: duo.bob)
        #expect(duo.bob.rotation(duo.alice)?.current.number == 1)
        #expect(duo.bob.rotation(duo.alice)?.current.sent == 1)
    }
}
