import HSIP
import RecordStore
import Support
import Testing
import VaultCrypto
import VaultKit

/// A code in a message: looking at it reads nothing, and taking it is one commit with the reading.
struct CarriedCodeTests {
    @Test func `a code inside a message is reported by decrypt and taken by accept, in one commit`()
        async throws
    {
        let couple = try await Couple()
        _ = try await couple.bob.read(try await couple.alice.write("x", to: couple.bob))
        _ = try await couple.alice.read(try await couple.bob.write("y", to: couple.alice))
        let rotate = try #require(
            try await couple.alice.vault(Operations.nextCode, "bob", OfferRequest()).code
        )
        let carrier = try await couple.alice.write("take this: \(rotate.text)", to: couple.bob)

        let before = try couple.bob.faulty().commits
        let reply = try await couple.bob.vault(
            Operations.acceptCarried,
            nil,
            carrier.envelope,
            AcceptOptions()
        )
        #expect(try couple.bob.faulty().commits == before + 1)
        let accept = try #require(reply.code)
        _ = try await couple.alice.vault(Operations.accept, accept, AcceptOptions())
        #expect(try await couple.alice.write("new", to: couple.bob).sent == 1)
    }

    @Test func `a message without a code is not marked as read by accept`() async throws {
        let couple = try await Couple()
        let plain = try await couple.alice.write("no code here", to: couple.bob)
        await #expect(throws: VaultError.hsip(.noCode)) {
            try await couple.bob.vault(Operations.acceptCarried, nil, plain.envelope, AcceptOptions())
        }
        #expect(try await couple.bob.read(plain) == "no code here")
    }

    @Test func `peek finds the code and commits nothing; the message still opens as new`() async throws {
        let couple = try await Couple()
        let stranger = try await Person("Carol", clock: couple.clock)
        let offer = try #require(try await stranger.vault(Operations.makeOffer, OfferRequest(), nil).code)
        let carrier = try await couple.alice.write("meet \(offer.text)", to: couple.bob)
        let before = try couple.bob.faulty().commits
        #expect(try await couple.bob.vault(Operations.peek, carrier.envelope, nil).map(\.code) == [offer])
        #expect(try await couple.bob.vault(Operations.peek, carrier.envelope, "alice").map(\.code) == [offer])
        await #expect(throws: VaultError.hsip(.noCode)) {
            try await couple.alice.vault(Operations.peek, carrier.envelope, nil)
        }
        #expect(try couple.bob.faulty().commits == before)
        let opened = try await couple.bob.vault(Operations.decrypt, carrier.envelope, nil, false)
        #expect(!opened.isReread)
        #expect(try await couple.bob.vault(Operations.peek, carrier.envelope, nil).map(\.code) == [offer])
    }

    @Test func `a stale code inside a message is refused, and nothing was read`() async throws {
        let couple = try await Couple()
        _ = try await couple.bob.read(try await couple.alice.write("x", to: couple.bob))
        _ = try await couple.alice.read(try await couple.bob.write("y", to: couple.alice))
        // Bob renews three times; the ACCEPT of the first is of the past then.
        var accepts: [ExchangeCode] = []
        for _ in 0..<3 {
            let rotate = try #require(
                try await couple.bob.vault(Operations.nextCode, "alice", OfferRequest()).code
            )
            let accept = try #require(
                try await couple.alice.vault(Operations.accept, rotate, AcceptOptions()).code
            )
            _ = try await couple.bob.vault(Operations.accept, accept, AcceptOptions())
            _ = try await couple.alice.read(try await couple.bob.write("renewed", to: couple.alice))
            accepts.append(accept)
        }
        let stale = try #require(accepts.first)
        let carrier = try await couple.alice.write("old: \(stale.text)", to: couple.bob)
        let before = try couple.bob.faulty().commits
        #expect(try await couple.bob.vault(Operations.peek, carrier.envelope, nil).map(\.code) == [stale])
        await #expect(throws: VaultError.hsip(.staleCode)) {
            try await couple.bob.vault(Operations.acceptCarried, stale, carrier.envelope, AcceptOptions())
        }
        #expect(try couple.bob.faulty().commits == before)
        #expect(try await couple.bob.read(carrier) == "old: \(stale.text)")
    }

    @Test func `an answer to a used offer writes its mark only, and the message is new`() async throws {
        let couple = try await Couple()
        let third = try await Person("Carol", clock: couple.clock)
        let offer = try #require(try await couple.bob.vault(Operations.makeOffer, OfferRequest(), nil).code)
        let first = try #require(try await couple.alice.vault(Operations.accept, offer, AcceptOptions()).code)
        _ = try await couple.bob.vault(Operations.accept, first, AcceptOptions())
        let second = try #require(try await third.vault(Operations.accept, offer, AcceptOptions()).code)
        let carrier = try await couple.alice.write(second.text, to: couple.bob)
        await #expect(throws: VaultError.self) {
            try await couple.bob.vault(Operations.acceptCarried, nil, carrier.envelope, AcceptOptions())
        }
        #expect(try await couple.bob.vault(Operations.contact, "alice").contact.trust == .suspicious)
        #expect(try await couple.bob.read(carrier) == second.text)
    }

    @Test func `of several codes in a message one is chosen`() async throws {
        let couple = try await Couple()
        let offers = [
            try #require(
                try await Person("Carol", clock: couple.clock).vault(
                    Operations.makeOffer,
                    OfferRequest(),
                    nil
                ).code
            ),
            try #require(
                try await Person("Dave", clock: couple.clock).vault(Operations.makeOffer, OfferRequest(), nil)
                    .code
            ),
        ]
        let text = offers.map(\.text).joined(separator: "\n")
        let carrier = try await couple.alice.write(text, to: couple.bob)
        let bob = couple.bob.vault
        #expect(try await bob(Operations.peek, carrier.envelope, nil).map(\.code) == offers)
        await #expect(throws: VaultError.hsip(.severalCodes)) {
            try await bob(Operations.acceptCarried, nil, carrier.envelope, AcceptOptions())
        }
        let absent = try #require(
            try await couple.alice.vault(Operations.makeOffer, OfferRequest(), nil).code
        )
        await #expect(throws: VaultError.hsip(.noCode)) {
            try await bob(Operations.acceptCarried, absent, carrier.envelope, AcceptOptions())
        }
        let before = try couple.bob.faulty().commits
        let reply = try await bob(Operations.acceptCarried, offers[1], carrier.envelope, AcceptOptions())
        #expect(reply.contact?.alias == "dave")
        #expect(try couple.bob.faulty().commits == before + 1)
        await #expect(throws: VaultError.hsip(.replayed)) { try await couple.bob.read(carrier) }
    }
}
