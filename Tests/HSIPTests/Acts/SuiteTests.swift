import HSIP
import Support
import Testing
import VaultCrypto

/// Which suite codes have, and that nobody leads a pairing or a contact back to suite 01 (Schemas/hsip-xc1.md section 10).
struct SuiteTests {
    /// Two of whom neither had suite 02 before.
    private func inPerson() throws -> Duo {
        let duo = try Duo()
        try duo.alice.pair(with: duo.bob, OfferRequest(isInPerson: true))
        try duo.alice.say("hello", to: duo.bob)
        try duo.bob.say("hello yourself", to: duo.alice)
        return duo
    }

    private func rules(_ duo: Duo) -> [Contact.SuiteRule?] {
        [duo.alice.contact(duo.bob)?.suiteRule, duo.bob.contact(duo.alice)?.suiteRule]
    }

    @Test func `two new programs pair and renew with suite 02 by themselves`() throws {
        let duo = try Duo.acquainted()
        #expect(duo.alice.rotation(duo.bob)?.current.suite == .two)
        #expect(duo.bob.rotation(duo.alice)?.current.suite == .two)
        #expect(try duo.alice.rotate(duo.bob).suite == .two)
        #expect(rules(duo) == [.onlyTwo, .onlyTwo])
    }

    @Test func `codes in person are small, are said to be weaker, and the first renewal has suite 02`() throws
    {
        let duo = try Duo()
        let offer = try duo.alice.offer(OfferRequest(isInPerson: true))
        #expect(offer.header.suite == .one)
        let answered = try duo.bob.take(.offer(offer))
        #expect(answered.notices.contains(.notPostQuantum))
        let answer = try #require(answered.code)
        #expect(try duo.alice.take(answer).notices == [.notPostQuantum])
        try duo.alice.say("x", to: duo.bob)
        #expect(rules(duo) == [.any, .any])
        let rotate = try duo.alice.rotate(duo.bob)
        #expect(rotate.suite == .two)
        let accept = try duo.bob.take(.rotate(rotate))
        #expect(accept.notices.isEmpty)
        #expect(try duo.alice.take(try #require(accept.code)).notices.isEmpty)
        #expect(rules(duo) == [.onlyTwo, .any])
        try duo.alice.say("new keys", to: duo.bob)
        #expect(rules(duo) == [.onlyTwo, .onlyTwo])
    }

    @Test func `the offer option overrules in person, and is for offers only`() throws {
        let duo = try inPerson()
        #expect(try duo.alice.offer(OfferRequest(suite: .two, isInPerson: true)).header.suite == .two)
        #expect(try duo.alice.offer(OfferRequest(suite: .one)).header.suite == .one)
        let next = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest(suite: .one)))
        #expect(next.code?.kind == .rotate && next.code?.header?.suite == .two)
    }

    @Test func `an open offer of another suite than the one asked for is replaced`() throws {
        let duo = try inPerson()
        _ = try duo.alice.revoke(duo.bob)
        let first = try duo.alice.offer(for: duo.bob)
        let same = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest()))
        #expect(same.code == .offer(first))
        let other = try duo.alice.perform(.nextCode(duo.bob.id, OfferRequest(suite: .one)))
        #expect(other.code?.header?.suite == .one)
        #expect(duo.alice.book.offers[first.ref]?.isOpen == false)
    }

    @Test func `the pin is set by an answer, the first thing read, an ACCEPT, and a promotion`() throws {
        let duo = try Duo()
        let answer = try duo.bob.answer(try duo.alice.offer())
        #expect(duo.bob.contact(duo.alice)?.suiteRule == .any)
        try duo.alice.take(.answer(answer))
        #expect(duo.alice.contact(duo.bob)?.suiteRule == .onlyTwo)
        try duo.alice.say("x", to: duo.bob)
        #expect(duo.bob.contact(duo.alice)?.suiteRule == .onlyTwo)
        let moving = try inPerson()
        try moving.alice.renew(with: moving.bob)
        #expect(rules(moving) == [.onlyTwo, .any])
        // A ROTATE under the prepared epoch is as good a sign as a message.
        _ = try moving.bob.accept(try moving.alice.rotate(moving.bob))
        #expect(rules(moving) == [.onlyTwo, .onlyTwo])
    }

    @Test func `a pinned contact is offered suite 02 alone, whatever is asked`() throws {
        let duo = try Duo.acquainted()
        #expect(try duo.alice.offer(OfferRequest(isInPerson: true), for: duo.bob).header.suite == .two)
        let refusal = HSIPError.suiteDowngrade(duo.bob.id)
        let asked = OfferRequest(contact: duo.bob.id, suite: .one)
        let before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.offer(asked)) == refusal)
        #expect(try duo.alice.refusal(.nextCode(duo.bob.id, asked)) == refusal)
        #expect(duo.alice.stored.records == before)
    }

    @Test func `a code of suite 01 from a pinned contact is refused and changes nothing`() throws {
        let duo = try Duo.acquainted()
        let offer = try duo.bob.offer(OfferRequest(suite: .one))
        var before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.take(.offer(offer), CodeOptions())) == .suiteDowngrade(duo.bob.id))
        #expect(duo.alice.stored.records == before)
        let own = try duo.alice.offer(OfferRequest(suite: .one))
        let answer = try Forge.answer(to: own, by: duo.bob, Forge.Claim(issued: duo.clock.now))
        before = duo.alice.stored.records
        #expect(try duo.alice.refusal(.take(.answer(answer), CodeOptions())) == .suiteDowngrade(duo.bob.id))
        #expect(duo.alice.stored.records == before)
    }

    @Test func `no ROTATE leads below the suite of the epoch it continues`() throws {
        let duo = try Duo.acquainted()
        let (alice, bob) = (duo.alice, duo.bob)
        try alice.renew(with: bob)
        try alice.say("x", to: bob)
        // Bob has a prepared epoch, the current one and one in its grace time.
        try alice.take(.accept(try bob.accept(try alice.rotate(bob))))
        let mine = try #require(alice.rotation(bob))
        let theirs = try #require(bob.rotation(alice))
        #expect(theirs.next?.epoch.name == mine.current.name)
        for epoch in [mine.current, mine.past[0].epoch, mine.past[1].epoch] {
            let low = try Forge.rotate(
                by: alice,
                to: bob,
                attempt: 9,
                suite: .one,
                terms: .rotation(at: duo.clock.now),
                parent: epoch
            )
            let before = bob.stored.records
            #expect(try bob.refusal(.take(.rotate(low), CodeOptions())) == .suiteDowngrade(alice.id))
            #expect(bob.stored.records == before)
        }
        #expect(bob.rotation(alice)?.next != nil)
    }

    @Test(arguments: [true, false])
    func `of two ROTATEs of unequal suites the rank decides, and the other is shown`(lowerIsOld: Bool) throws
    {
        let duo = try inPerson()
        let (low, high) = duo.alice.id < duo.bob.id ? (duo.alice, duo.bob) : (duo.bob, duo.alice)
        let (old, new) = lowerIsOld ? (low, high) : (high, low)
        try old.perform(.setSuite(new.id, .one))
        let (first, second) = (try old.rotate(new), try new.rotate(old))
        #expect(first.suite == .one && second.suite == .two)
        if lowerIsOld {
            let accepted = try new.take(.rotate(first))
            #expect(accepted.notices == [.notPostQuantum])
            try old.take(try #require(accepted.code))
            #expect(old.rotation(new)?.current.suite == .one)
        } else {
            let shown = try new.take(.rotate(first))
            #expect(shown.code == .rotate(second))
            #expect(shown.notices == [.perhapsOldProgram])
            try new.take(.accept(try old.accept(second)))
            // A code of suite 02 was taken: the program is not old.
            #expect(old.contact(new)?.suiteRule == .any)
            #expect(new.rotation(old)?.current.suite == .two)
        }
        try old.say("agreed", to: new)
        try new.say("agreed", to: old)
    }

    @Test func `the mark of an old program withdraws what it cannot read`() throws {
        let duo = try inPerson()
        let (alice, bob) = (duo.alice, duo.bob)
        let rotate = try alice.rotate(bob)
        let offers = try [alice.offer(for: bob), alice.offer()]
        try alice.perform(.setSuite(bob.id, .one))
        #expect(alice.contact(bob)?.suiteRule == .onlyOne)
        #expect(alice.rotation(bob)?.out == nil)
        #expect(offers.map { alice.book.offers[$0.ref]?.isOpen } == [false, true])
        #expect(try alice.offer(for: bob).header.suite == .one)
        let again = try alice.rotate(bob)
        #expect(again.suite == .one && again.attempt == rotate.attempt + 1)
        let accept = try bob.take(.rotate(again))
        #expect(accept.notices == [.notPostQuantum])
        #expect(try alice.take(try #require(accept.code)).notices == [.notPostQuantum])
        #expect(alice.rotation(bob)?.current.suite == .one)
        #expect(alice.contact(bob)?.suiteRule == .onlyOne)
    }

    @Test func `the mark lifts the pin but leaves the epoch its suite`() throws {
        let duo = try Duo.acquainted()
        try duo.alice.perform(.setSuite(duo.bob.id, .one))
        try duo.bob.say("still under suite 02", to: duo.alice)
        #expect(duo.alice.contact(duo.bob)?.suiteRule == .onlyOne)
        #expect(try duo.alice.rotate(duo.bob).suite == .two)
        let offer = try duo.bob.offer(OfferRequest(suite: .one))
        #expect(try duo.alice.answer(offer).header.suite == .one)
    }

    @Test func `an offer of suite 02 ends the mark, and so does its owner`() throws {
        for isByOffer in [true, false] {
            let duo = try inPerson()
            try duo.alice.perform(.setSuite(duo.bob.id, .one))
            if isByOffer {
                _ = try duo.alice.answer(try duo.bob.offer())
            } else {
                try duo.alice.perform(.setSuite(duo.bob.id, .two))
                #expect(try duo.alice.perform(.setSuite(duo.bob.id, .two)).notices == [.alreadyDone])
            }
            #expect(duo.alice.contact(duo.bob)?.suiteRule == .any)
        }
    }

    @Test func `the pin outlives sessions, the trash, another key and a restored backup`() throws {
        let duo = try inPerson()
        let backup = duo.alice.stored
        try duo.alice.renew(with: duo.bob)
        var copy = backup.book
        #expect(copy.contacts[duo.bob.id]?.suiteRule == .any)
        let moment = Moment(wallClock: duo.clock.now)
        _ = copy.carry(from: duo.alice.book, successors: [:], isWhole: true, at: moment)
        #expect(copy.contacts[duo.bob.id]?.suiteRule == .onlyTwo)
        _ = try duo.alice.revoke(duo.bob)
        #expect(rules(duo)[0] == .onlyTwo)
        try duo.alice.perform(.removeContact(duo.bob.id))
        try duo.alice.perform(.restoreContact(duo.bob.id))
        #expect(rules(duo)[0] == .onlyTwo)
        let other = try duo.stranger("Bob's new device")
        try duo.alice.perform(.trustNewKey(duo.bob.id, .offer(try other.offer(OfferRequest(suite: .one)))))
        #expect(duo.alice.contact(other)?.suiteRule == .onlyTwo)
    }

    @Test func `a restored backup closes an offer and drops a ROTATE of suite 02`() throws {
        let duo = try Duo.acquainted()
        let offer = try duo.alice.offer()
        _ = try duo.alice.rotate(duo.bob)
        duo.alice.restore(duo.alice.stored)
        let book = duo.alice.settled
        #expect(book.offers[offer.ref]?.isOpen == false)
        #expect(book.pairings.values.allSatisfy { $0.rotation?.out == nil })
    }
}
