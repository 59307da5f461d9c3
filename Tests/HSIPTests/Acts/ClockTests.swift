import HSIP
import Support
import Testing
import VaultCrypto

/// A clock that is wrong, or made wrong (Schemas/hsip-xc1.md section 8, "Clock").
struct ClockTests {
    @Test func `the mark moves with acts that write, in steps of ten minutes`() throws {
        let duo = try Duo()
        try duo.alice.tick()
        let start = duo.clock.now
        #expect(duo.alice.book.clock == ClockMark(mark: start))
        duo.clock.advance(599)
        try duo.alice.tick()
        #expect(duo.alice.book.clock.mark == start)
        duo.clock.advance(1)
        #expect(try duo.alice.refusal(.setName("bad\u{0}name")) == .malformed)
        #expect(duo.alice.book.clock.mark == start)
        try duo.alice.tick()
        #expect(duo.alice.book.clock.mark == start + 600)
    }

    @Test func `turning the clock back does not revive a session that was refused as expired`() throws {
        // Even by less than the step of the mark: the refusal itself is remembered.
        for late in [1, 300, 3_000] as [Int64] {
            let duo = try Duo()
            try duo.alice.pair(with: duo.bob, OfferRequest(lifeHours: 1))
            duo.clock.advance(.hour - 10)
            try duo.alice.tick()
            duo.clock.advance(10 + late)
            #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .sessionExpired)
            duo.clock.advance(-late - 10)
            #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .sessionExpired)
        }
    }

    @Test func `a mark up to an hour ahead counts as now, further ahead nothing is stamped`() throws {
        let duo = try Duo.acquainted()
        duo.clock.advance(2 * .hour)
        try duo.alice.tick()
        duo.clock.advance(-.hour)
        _ = try duo.alice.seal("within the hour", to: duo.bob)
        duo.clock.advance(-1)
        let before = duo.alice.stored.records
        let theirs = try duo.stranger().offer()
        for event: Event in [
            .send(duo.bob.id, plaintext: try .of("x")), .offer(OfferRequest()),
            .nextCode(duo.bob.id, OfferRequest()), .rotate(duo.bob.id, OfferRequest()),
            .take(.offer(theirs), CodeOptions()),
            .take(.rotate(try duo.bob.rotate(duo.alice)), CodeOptions()),
        ] {
            #expect(try duo.alice.refusal(event) == .clockSuspect)
        }
        #expect(duo.alice.stored.records == before)
    }

    @Test func `with a suspect clock reading, ending and taking what is finished go on`() throws {
        let duo = try Duo.acquainted()
        let carol = try duo.stranger()
        let answer = try carol.answer(try duo.alice.offer())
        let accept = try duo.bob.accept(try duo.alice.rotate(duo.bob))
        let message = try duo.bob.seal("x", to: duo.alice)
        duo.clock.advance(5 * .hour)
        try duo.alice.tick()
        duo.clock.advance(-5 * .hour)
        #expect(try duo.alice.open(message) == "x")
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == nil)
        #expect(try duo.alice.refusal(.take(.accept(accept), CodeOptions())) == nil)
        #expect(try duo.alice.refusal(.revokeSessions(duo.bob.id, .none)) == nil)
    }

    @Test func `the mark goes to the clock that a person says is right, back or past a jump`() throws {
        let duo = try Duo.acquainted()
        duo.clock.advance(5 * .hour)
        try duo.alice.tick()
        duo.clock.advance(-5 * .hour)
        try duo.alice.perform(.setClockBack)
        #expect(duo.alice.book.clock == ClockMark(mark: duo.clock.now))
        _ = try duo.alice.seal("again", to: duo.bob)

        duo.clock.advance(40 * .day)
        #expect(duo.alice.settled.pairings.values.allSatisfy { $0.rotation?.current.keys.canReceive == true })
        try duo.alice.perform(.setClockBack)
        #expect(duo.alice.book.clock == ClockMark(mark: duo.clock.now))
        let settled = duo.alice.settled.pairings.values
        #expect(settled.allSatisfy { $0.rotation?.current.keys.canReceive == false })
        #expect(try duo.alice.perform(.setClockBack).notices == [.alreadyDone])
    }

    @Test func `a clock twelve days ahead for one command wipes no key`() throws {
        let duo = try Duo.acquainted()
        let envelope = try duo.bob.seal("before the jump", to: duo.alice)
        try duo.alice.tick()
        let mark = duo.alice.book.clock.mark
        duo.clock.now = mark + 12 * 86_400
        try duo.alice.tick()
        let jumpAt = duo.clock.now
        #expect(duo.alice.book.clock == ClockMark(mark: jumpAt, jumpAt: jumpAt, certain: mark))
        #expect(duo.alice.rotation(duo.bob)?.current.keys.canReceive == true)
        duo.clock.advance(.day - 1)
        try duo.alice.tick()
        #expect(duo.alice.rotation(duo.bob)?.current.keys.canReceive == true)
        // Set right in time, it has cost no key.
        let right = TestPeer(duo.alice.stored, clock: duo.clock, seed: "set right")
        let late = duo.clock.now
        duo.clock.now = mark + 60
        try right.perform(.setClockBack)
        #expect(try right.open(envelope) == "before the jump")
        _ = try right.seal("and on", to: duo.bob)
        // Left as it is, time goes on.
        duo.clock.now = late + 1
        try duo.alice.tick()
        #expect(duo.alice.rotation(duo.bob)?.current.keys.canReceive == false)
    }

    @Test func `a day to the second is no jump, and one more is`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.tick()
        duo.clock.advance(.day)
        try duo.alice.tick()
        #expect(duo.alice.book.clock.jumpAt == nil)
        duo.clock.advance(.day + 1)
        try duo.alice.tick()
        #expect(duo.alice.book.clock.jumpAt == duo.clock.now)
    }

    @Test func `who comes once a week loses old keys one visit later`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.tick()
        duo.clock.advance(14 * .day)
        try duo.alice.tick()
        #expect(duo.alice.rotation(duo.bob)?.current.keys.canReceive == true)
        duo.clock.advance(7 * .day)
        try duo.alice.tick()
        #expect(duo.alice.rotation(duo.bob)?.current.keys.canReceive == false)
    }

    @Test func `a message that is refused first at each visit does not put off wiping`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.tick()
        for week in 1...3 {
            duo.clock.advance((week == 1 ? 14 : 7) * .day)
            #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .sessionExpired)
            duo.clock.advance(60)
            try duo.alice.tick()
            #expect(duo.alice.rotation(duo.bob)?.current.keys.canReceive == (week == 1))
            // What was refused stays so under a clock that is set back.
            duo.clock.advance(-120)
            #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .sessionExpired)
            duo.clock.advance(120)
        }
    }

    @Test func `what was over before a jump is wiped also after an act that wipes nothing`() throws {
        let old = ClockMark(mark: 1_000_000)
        let jump = 1_000_000 + 14 * UInt64(86_400)
        let moved = try #require(old.advanced(to: jump, always: true))
        #expect(moved.wipingTime(wallClock: jump + 60) == old.wipingTime(wallClock: jump))
        let later = try #require(moved.advanced(to: jump + 3_600))
        #expect(later == ClockMark(mark: jump + 3_600, jumpAt: jump, certain: 1_000_000))
        #expect(later.wipingTime(wallClock: jump + 86_399) == 1_000_000)
        #expect(later.wipingTime(wallClock: jump + 86_400) == jump + 86_400)
        #expect(later.advanced(to: jump + 86_400) == ClockMark(mark: jump + 86_400))
        // One written before `certain` was there wipes nothing until the jump is confirmed.
        #expect(ClockMark(mark: jump, jumpAt: jump).wipingTime(wallClock: jump + 60) == 0)
    }

    @Test func `a clock past the last second that a code can hold is called suspect`() throws {
        let duo = try Duo()
        duo.clock.now = UInt64(UInt32.max) + 1
        #expect(try duo.alice.refusal(.offer(OfferRequest())) == .clockSuspect)
    }

    @Test func `codes from the end of time are only from the future`() throws {
        let duo = try Duo.acquainted()
        let last = UInt64(UInt32.max)
        let offer = try Forge.offer(by: duo.bob, .init(issued: last))
        let ahead = Int64(last - duo.clock.now)
        #expect(try duo.alice.refusal(.take(.offer(offer), CodeOptions())) == .codeFromFuture(seconds: ahead))
        let mine = try duo.alice.offer()
        let answer = try Forge.answer(to: mine, by: duo.bob, .init(issued: last))
        #expect(
            try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == .codeFromFuture(seconds: ahead)
        )
        let parent = try #require(duo.bob.rotation(duo.alice)?.current)
        let rotate = try Forge.rotate(
            by: duo.bob,
            to: duo.alice,
            attempt: .max,
            terms: .rotation(at: last, lifeHours: 720),
            parent: parent
        )
        #expect(
            try duo.alice.refusal(.take(.rotate(rotate), CodeOptions())) == .codeFromFuture(seconds: ahead)
        )
        let notice = try RevokeCode.ofSession(
            name: parent.name,
            epoch: 0,
            rotateKey: try #require(parent.keys.rotate),
            role: .answerer,
            seed: duo.bob.book.identity.seed,
            reason: .none,
            issued: last
        )
        #expect(
            try duo.alice.refusal(.take(.revoke(notice), CodeOptions())) == .codeFromFuture(seconds: ahead)
        )
    }

    @Test func `in the last days that a code can name, everything still works or is refused`() throws {
        let duo = try Duo()
        duo.clock.now = UInt64(UInt32.max) - 100
        try duo.alice.pair(with: duo.bob, OfferRequest(lifeHours: 720))
        try duo.alice.say("late", to: duo.bob)
        try duo.alice.renew(with: duo.bob)
        try duo.alice.say("later", to: duo.bob)
        duo.clock.now = UInt64(UInt32.max) + 100
        #expect(try duo.alice.refusal(.offer(OfferRequest())) == .clockSuspect)
        #expect(try duo.alice.refusal(.rotate(duo.bob.id, OfferRequest())) == .clockSuspect)
        #expect(try duo.alice.refusal(.send(duo.bob.id, plaintext: .of("x"))) == .clockSuspect)
    }

    @Test func `before time began nothing traps`() throws {
        let duo = try Duo()
        duo.clock.now = 0
        try duo.alice.pair(with: duo.bob)
        try duo.alice.say("in 1970", to: duo.bob)
        try duo.alice.perform(.removeContact(duo.bob.id))
        #expect(duo.alice.contact(duo.bob)?.trashedAt != nil)
    }
}
