import SharedLog
import Testing
import VaultCrypto

/// What becomes of two changes of one thing.
struct MergeTests {
    @Test func `a register that one side changed is that change, and one that both changed is decided`() {
        let base = ["a", "b", "c", "d"].map(\.registerDigest)
        var merge = RegisterMerge(base: base)
        #expect(merge.pick("a", "a") == "a")
        #expect(merge.pick("mine", "b") == "mine")
        #expect(merge.pick("c", "theirs") == "theirs")
        #expect(!merge.hasLoss)
        #expect(merge.pick("mine", "theirs") == "theirs")
        #expect(merge.hasLoss)
    }

    @Test func `the versions of both sides are kept by time, and renumbered behind the last common one`() {
        func mark(_ number: UInt32, _ time: UInt64, _ byte: UInt8) -> VersionMark {
            VersionMark(number: number, time: time, digest: [byte])
        }
        let merged = VersionMerge.merge(
            mine: [mark(1, 10, 1), mark(2, 30, 3)],
            theirs: [mark(1, 10, 1), mark(2, 20, 2), mark(3, 40, 4)]
        )
        #expect(merged.bothChanged)
        #expect(merged.versions.map(\.number) == [1, 2, 3, 4])
        #expect(merged.versions.map(\.version.digest) == [[1], [2], [3], [4]])
        #expect(merged.versions.map(\.isMine) == [false, false, true, false])
        let many = (1...10).map { mark(UInt32($0), UInt64($0), UInt8($0)) }
        let cut = VersionMerge.merge(mine: many + [mark(11, 90, 90)], theirs: many)
        #expect(!cut.bothChanged && cut.versions.count == 10 && cut.versions.last?.version.digest == [90])
    }

    @Test func `a version of one machine alone stays, though a later one has the same number on both sides`()
    {
        func mark(_ number: UInt32, _ time: UInt64, _ byte: UInt8) -> VersionMark {
            VersionMark(number: number, time: time, digest: [byte])
        }
        let merged = VersionMerge.merge(
            mine: [mark(1, 10, 1), mark(2, 15, 2), mark(3, 30, 3)],
            theirs: [mark(1, 10, 1), mark(2, 20, 4), mark(3, 30, 3)]
        )
        #expect(merged.versions.map(\.version.digest) == [[1], [2], [4], [3]])
    }

    @Test func `of a secret the higher counter, the earlier end and the tags of both count`() throws {
        let old = SecretRegisters(type: 0, name: "a", counter: 4, tags: ["x", "y"])
        var (mine, log) = (old, old)
        (mine.counter, mine.end, mine.tags) = (9, 500, ["x", "z"])
        (log.counter, log.end, log.tags, log.name) = (7, 300, ["w", "x", "y"], "b")
        let merged = try #require(mine.merged(with: log, base: old.digests))
        #expect(merged.registers.counter == 9 && merged.registers.end == 300)
        #expect(merged.registers.tags == ["w", "x", "z"] && merged.registers.name == "b")
        log.type = 1
        #expect(mine.merged(with: log, base: old.digests) == nil)
    }

    @Test func `of a key the stricter of two changes counts`() {
        let old = SSHKeyRegisters(name: "k", onlyFor: [])
        var (mine, log) = (old, old)
        (mine.state, mine.asksEachTime, mine.lifetime) = (2, true, 60)
        (log.state, log.lifetime, log.onlyFor) = (1, 90, ["a", "b"])
        mine.onlyFor = ["b", "c"]
        let merged = mine.merged(with: log, base: old.digests).registers
        #expect(merged.state == 1 && merged.asksEachTime && merged.lifetime == 60)
        #expect(merged.onlyFor == ["b"])
        mine.onlyFor = ["c"]
        #expect(mine.merged(with: log, base: old.digests).registers.onlyFor == ["a", "b"])
    }

    @Test(arguments: [
        ([], ["git"], []), (["git"], [], []), (["a"], ["b"], ["b"]), (["a", "b"], ["b"], ["b"]),
    ])
    func `a key signs under no namespace that one of two changes took away`(
        mine: [String],
        theirs: [String],
        result: [String]
    ) {
        let old = SSHKeyRegisters(name: "k", namespaces: ["file", "git"])
        var (first, log) = (old, old)
        (first.namespaces, log.namespaces) = (mine, theirs)
        #expect(first.merged(with: log, base: old.digests).registers.namespaces == result)
    }

    @Test(arguments: [("", UInt8(2)), ("@revoked ", UInt8(0))])
    func `an ended line stays ended, and a mark of revocation stays`(mark: String, state: UInt8) {
        let line = Array((mark + "host ssh-ed25519 AAAA").utf8)
        let old = KnownHostObject(state: 0, source: 0, firstSeen: 5, line: line)
        var (mine, log) = (old, old)
        (mine.source, mine.firstSeen) = (1, 3)
        (log.state, log.ended, log.firstSeen) = (2, 9, 4)
        // Both have changed it: the line was put apart, without an index.
        let merged = mine.merged(with: log, base: []).line
        #expect(merged.state == state && merged.source == 1 && merged.firstSeen == 3)
    }

    @Test func `two machines that met the same host on two days have no conflict`() {
        let line = Array("host ssh-ed25519 AAAA".utf8)
        let mine = KnownHostObject(state: 0, source: 0, firstSeen: 5, line: line)
        let log = KnownHostObject(state: 0, source: 2, firstSeen: 4, line: line)
        let merged = mine.merged(with: log, base: [])
        #expect(!merged.hasLoss && merged.line.firstSeen == 4 && merged.line.source == 2)
    }

    @Test func `a host key that is not compared since a restore stays that until a person compares it`()
        throws
    {
        let line = Array("host ssh-ed25519 AAAA".utf8)
        let sure = KnownHostObject(state: 0, source: 1, firstSeen: 5, line: line)
        let unsure = KnownHostObject(state: 0, source: 1, isUncompared: true, firstSeen: 5, line: line)
        let met = KnownHostObject(state: 0, source: 0, firstSeen: 5, line: line)
        #expect(try KnownHostObject(content: try unsure.content()) == unsure)
        #expect(try sure.content().withBytes { $0.copied() }[2] == 1)
        #expect(try unsure.content().withBytes { $0.copied() }[2] == 0x81)
        #expect(unsure.digests != sure.digests)
        // What one side changed is that change, in both directions.
        #expect(unsure.merged(with: sure, base: sure.digests).line == unsure)
        #expect(sure.merged(with: unsure, base: unsure.digests).line == sure)
        // Of two changes a comparison counts, then the doubt.
        #expect(unsure.merged(with: sure, base: []).line == sure)
        #expect(sure.merged(with: unsure, base: []).line == sure)
        #expect(unsure.merged(with: met, base: []).line == unsure)
        #expect(met.merged(with: unsure, base: []).line == unsure)
    }

    @Test func `of a pin revoked counts, then suspicious, then the lower trust`() {
        let old = PinObject(identityKey: [UInt8](repeating: 1, count: 32), alias: "a", sentName: "a")
        for (mine, log, result) in [(4, 3, 4), (2, 3, 3), (1, 2, 1), (2, 1, 1)] as [(UInt8, UInt8, UInt8)] {
            var (first, second) = (old, old)
            (first.trust, second.trust) = (mine, log)
            #expect(first.merged(with: second, base: old.digests).pin.trust == result)
        }
        var (first, second) = (old, old)
        (first.trashedAt, first.requiresVerification, second.alias) = (9, true, "b")
        let merged = first.merged(with: second, base: []).pin
        #expect(merged.trashedAt == 0 && merged.requiresVerification && merged.alias == "b")
    }

    @Test func `of a rule deny counts, and two sets of conditions are two rules`() {
        let old = RuleObject([.init("effect", "ask"), .init("kind", "read")])
        let deny = RuleObject([.init("effect", "deny"), .init("kind", "read")])
        #expect(deny.merged(with: old, base: []) == .one(deny, hasLoss: true))
        #expect(old.merged(with: deny, base: []) == .one(deny, hasLoss: true))
        let other = RuleObject([.init("effect", "ask"), .init("kind", "use")])
        #expect(
            other.merged(with: deny, base: old.digests)
                == .one(
                    RuleObject([.init("effect", "deny"), .init("kind", "use")]),
                    hasLoss: false
                )
        )
        #expect(other.merged(with: deny, base: []) == .both)
    }

    @Test func `what one side changed and the other removed stays`() {
        let (old, new) = (["a".registerDigest], ["b".registerDigest])
        #expect(RemovalMerge.of(mine: old, theirs: nil, base: old) == .remove)
        #expect(RemovalMerge.of(mine: new, theirs: nil, base: old) == .putAgain)
        #expect(RemovalMerge.of(mine: nil, theirs: old, base: old) == .delete)
        #expect(RemovalMerge.of(mine: nil, theirs: new, base: old) == .comesBack)
        #expect(RemovalMerge.of(mine: nil, theirs: nil, base: old) == .gone)
        #expect(RemovalMerge.of(mine: new, theirs: new, base: old) == nil)
    }
}
