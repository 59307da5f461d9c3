internal import Explorer
internal import HSIP
internal import Testing

/// Names behave like the keys and codes they stand for.
@Suite struct NameSchemeTests {
    private let terms = Terms(issued: 1000, ttlMinutes: 10, lifeHours: 10, limit: 10)

    @Test func `a key name tells every rotation since the first epoch`() throws {
        let first = RotateName(parent: .first, author: .b, attempt: 7, copy: 3)
        let second = RotateName(parent: KeyName(first, copy: 2), author: .a, attempt: 1, copy: 0)
        let key = KeyName(second, copy: 1)
        #expect(key.epoch == 2)
        #expect(key.rotate == second)
        #expect(key.copy == 1)
        #expect(second.parent.rotate == first)
        #expect(KeyName.first.epoch == 0)
        #expect(KeyName.first.rotate == nil)
        #expect(key != KeyName(second, copy: 0))
    }

    @Test func `a rotate of my own does not verify, nor one under other keys`() throws {
        let keys = NameKeys(.first)
        let mine = try rotate(by: .a)
        #expect(try NameScheme.verifies(mine, under: keys, party: NameParty(.b)))
        #expect(try !NameScheme.verifies(mine, under: keys, party: NameParty(.a)))
        let other = NameKeys(KeyName(mine.rotateName, copy: 0))
        #expect(try !NameScheme.verifies(mine, under: other, party: NameParty(.b)))
    }

    @Test func `both sides derive one key, and another answer derives another`() throws {
        let rotate = try rotate(by: .a)
        let keys = NameKeys(.first)
        let made = try NameScheme.accept(rotate, under: keys, terms: terms, party: NameParty(.b))
        let finished = try NameScheme.finish(
            made.accept,
            of: rotate,
            ephemeral: 0,
            under: keys,
            party: NameParty(.a)
        )
        #expect(made.name == finished.name)
        let again = try NameScheme.accept(rotate, under: keys, terms: terms, party: NameParty(.b, copy: 1))
        #expect(again.name != made.name)
    }

    @Test func `an accept of another one-time key, or a chain that is gone, does not finish`() throws {
        let rotate = try rotate(by: .a)
        var keys = NameKeys(.first)
        let made = try NameScheme.accept(rotate, under: keys, terms: terms, party: NameParty(.b))
        #expect(throws: HSIPError.badSignature) {
            try NameScheme.finish(made.accept, of: rotate, ephemeral: 1, under: keys, party: NameParty(.a))
        }
        keys.retire()
        #expect(throws: HSIPError.lapsed) {
            try NameScheme.finish(made.accept, of: rotate, ephemeral: 0, under: keys, party: NameParty(.a))
        }
    }

    private func rotate(by side: Side) throws -> NameRotate {
        try NameScheme.rotate(
            under: NameKeys(.first),
            name: .first,
            epoch: 1,
            attempt: 1,
            suite: .two,
            terms: terms,
            party: NameParty(side)
        ).0
    }
}
