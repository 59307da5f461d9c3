import HSIP
import Support
import Testing
import VaultCrypto

/// The properties of Schemas/hsip-xc1.md section 13 that concern acts, for stories of any kind.
struct BookPropertyTests {
    /// Two who paired for messages of three hours, three each.
    private static let pair = Result { () throws -> (alice: TestPeer.Stored, bob: TestPeer.Stored) in
        let duo = try Duo()
        try duo.alice.pair(with: duo.bob, OfferRequest(lifeHours: 3, limit: 3))
        return (duo.alice.stored, duo.bob.stored)
    }

    private func world(_ seed: Int) throws -> World {
        let pair = try Self.pair.get()
        return World(Duo(alice: pair.alice, bob: pair.bob, seed: "story \(seed)"))
    }

    private func check(
        _ name: String,
        seed: UInt64,
        runs: Int,
        steps: Int,
        _ troubles: Story.Troubles
    ) throws {
        try forAll(
            name,
            seed: seed,
            runs: runs,
            generate: { Story(&$0, count: steps, troubles: troubles) },
            shrink: \.smaller
        ) { story in
            let world = try world(story.steps.count)
            for step in story.steps { try world.happen(step) }
            try world.agree()
            return true
        }
    }

    @Test func `whatever is lost, repeated or late, every promise holds and the two come together`() throws {
        try check("lost and late", seed: 100, runs: 40, steps: 60, [])
    }

    @Test func `also with clocks that go wrong`() throws {
        try check("clocks", seed: 200, runs: 40, steps: 60, [.clocks])
    }

    @Test func `also with new pairings and ends`() throws {
        try check("pairings", seed: 300, runs: 16, steps: 60, [.pairings, .ends])
    }

    /// An offer that waits, and old answers beside newer pairings.
    private static let offers = [
        Story([.send(true), .send(false), .offer(false, isBound: true), .send(false), .send(false)]),
        Story([
            .offer(false, isBound: true), .take(true, 0), .offer(false, isBound: true), .take(false, 1),
            .take(true, 2), .take(false, 3), .send(false), .send(false), .deliver(0),
        ]),
    ]

    @Test(arguments: offers)
    func `beside offers that wait and answers that were taken, what pair shows leads out`(story: Story) throws
    {
        let world = try world(story.steps.count)
        for step in story.steps { try world.happen(step) }
        try world.agree()
    }

    @Test func `also with backups put back`() throws {
        try check("restores", seed: 400, runs: 30, steps: 60, [.restores])
    }

    @Test func `after a backup put back at any step, what pair shows leads out`() throws {
        for seed in 0..<4 as Range<UInt64> {
            var generator = SeededGenerator(seed: 450 + seed)
            let story = Story(&generator, count: 30, troubles: [])
            let world = try world(Int(seed))
            var backups: [(alice: TestPeer.Stored, bob: TestPeer.Stored)] = []
            for step in story.steps {
                backups.append((world.duo.alice.stored, world.duo.bob.stored))
                try world.happen(step)
                let backup = try #require(backups.randomElement(using: &generator))
                for who in [true, false] {
                    let fork = world.fork(seed: "\(backups.count) \(who)")
                    fork.restore(who, who ? backup.alice : backup.bob)
                    #expect(throws: Never.self, "\(story.steps.prefix(backups.count))") {
                        try fork.agree()
                    }
                }
            }
        }
    }

    @Test func `also with all of it together`() throws {
        try check("all", seed: 500, runs: 20, steps: 80, [.clocks, .ends, .restores, .pairings])
    }

    @Test func `a thousand messages in any order, some of them twice, open once each`() throws {
        let duo = try Duo.acquainted(seed: "a thousand")
        var order: [(number: Int, envelope: MessageEnvelope)] = []
        for number in 1..<1_000 { order.append((number, try duo.alice.seal("\(number)", to: duo.bob))) }
        #expect(duo.alice.rotation(duo.bob)?.current.sent == 1_000)
        #expect(Set(order.map(\.envelope.nonce)).count == 999)
        var generator = SeededGenerator(seed: 7)
        order += order.filter { _ in generator.oneIn(10) }
        order.shuffle(using: &generator)
        var opened: Set<Int> = []
        for (number, envelope) in order {
            if try duo.bob.refusal(.read(envelope, ReadRequest())) == nil {
                #expect(opened.insert(number).inserted)
            } else {
                #expect(opened.contains(number))
            }
        }
        #expect(opened.count == 999)
        #expect(duo.bob.rotation(duo.alice)?.current.received == 1_000)
        let rows = duo.bob.book.seen.values.map(\.nonces.count)
        #expect(rows.reduce(0, +) == 1_000 && rows.count == 16)
    }
}
