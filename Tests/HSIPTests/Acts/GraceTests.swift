import HSIP
import Support
import Testing
import VaultCrypto

/// How long a replaced epoch still opens late messages: rule 6 of Schemas/hsip-xc1.md section 8.
struct GraceTests {
    @Test func `at most two replaced epochs are kept, and the nonces go with the keys`() throws {
        let duo = try Duo.acquainted()
        let first = try #require(duo.alice.rotation(duo.bob)?.current.name)
        #expect(duo.alice.book.seen.keys.contains { $0.epoch == first })
        for round in 1...3 {
            try duo.alice.renew(with: duo.bob)
            try duo.alice.say("\(round)", to: duo.bob)
            try duo.bob.say("\(round)", to: duo.alice)
        }
        for (one, other) in [(duo.alice, duo.bob), (duo.bob, duo.alice)] {
            #expect(one.rotation(other)?.past.map(\.epoch.number) == [2, 1])
            #expect(!one.book.seen.keys.contains { $0.epoch == first })
            #expect(one.book.seen.values.contains { !$0.nonces.isEmpty })
        }
    }

    @Test func `the responder drops the old epoch three days after its promotion`() throws {
        let duo = try Duo.acquainted()
        let late = (try duo.alice.seal("1", to: duo.bob), try duo.alice.seal("2", to: duo.bob))
        try duo.alice.renew(with: duo.bob)
        try duo.alice.say("promotes", to: duo.bob)
        try duo.bob.live(72 * .hour)
        #expect(try duo.bob.open(late.0) == "1")
        try duo.bob.live(1)
        #expect(duo.bob.rotation(duo.alice)?.past.isEmpty == true)
        #expect(try duo.bob.refusal(.read(late.1, ReadRequest())) == .cannotOpen)
    }

    @Test func `the initiator keeps the old epoch until the peer was seen past it`() throws {
        let duo = try Duo.acquainted()
        let late = try duo.bob.seal("late", to: duo.alice)
        try duo.alice.renew(with: duo.bob)
        // Nothing of Bob's under the new epoch: a plain timer would have dropped the old one by now.
        try duo.alice.live(5 * .day)
        #expect(duo.alice.rotation(duo.bob)?.past.count == 1)
        try duo.alice.say("promotes", to: duo.bob)
        try duo.bob.say("seen past", to: duo.alice)
        try duo.alice.live(72 * .hour)
        #expect(try duo.alice.open(late) == "late")
        try duo.alice.live(1)
        #expect(duo.alice.rotation(duo.bob)?.past.isEmpty == true)
    }

    @Test func `at the latest the old epoch goes three days after its natural end`() throws {
        let duo = try Duo.acquainted()
        let end = try #require(duo.alice.rotation(duo.bob)?.current.end)
        try duo.alice.renew(with: duo.bob)
        try duo.alice.live(Int64(end - duo.clock.now) + 72 * .hour)
        #expect(duo.alice.rotation(duo.bob)?.past.count == 1)
        try duo.alice.live(1)
        #expect(duo.alice.rotation(duo.bob)?.past.isEmpty == true)
    }
}
