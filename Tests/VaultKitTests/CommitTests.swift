import HSIP
import RecordStore
import Support
import Testing
import VaultCrypto
import VaultKit

/// One operation is one durable commit, and nothing leaves before it.
struct CommitTests {
    @Test func `a second vault on the same store never takes a number twice`() async throws {
        let couple = try await Couple()
        let other = couple.alice.secondProcess()
        let text = try Secret(copying: Array("x".utf8))
        var numbers: [UInt16] = []
        var nonces: Set<[UInt8]> = []
        for turn in 0..<40 {
            let vault = turn.isMultiple(of: 2) ? couple.alice.vault : other
            let message = try await vault(Operations.encrypt, text, "bob")
            numbers.append(message.sent)
            nonces.insert(message.envelope.nonce)
        }
        #expect(numbers == Array(1...40))
        #expect(nonces.count == 40)
    }

    @Test func `many tasks on several vaults get exactly the limit`() async throws {
        let couple = try await Couple()
        let vaults = (0..<4).map { _ in couple.alice.secondProcess() }
        let text = try Secret(copying: Array("x".utf8))
        let sent = await withTaskGroup(of: [UInt16].self) { group in
            for vault in vaults {
                group.addTask {
                    var mine: [UInt16] = []
                    for _ in 0..<300 {
                        if let message = try? await vault(Operations.encrypt, text, "bob") {
                            mine.append(message.sent)
                        }
                    }
                    return mine
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(sent.sorted() == Array(1...1000))
    }

    @Test(arguments: [MemoryStore.FaultPoint.before, .after])
    func `a failed commit gives no text out, and its number is not used again`(
        point: MemoryStore.FaultPoint
    ) async throws {
        let couple = try await Couple()
        let first = try await couple.alice.write("one", to: couple.bob)
        try couple.alice.faulty().fail(atCommit: couple.alice.faulty().commits + 1, point)
        await #expect(throws: VaultError.store(.commitUnknown)) {
            try await couple.alice.write("lost", to: couple.bob)
        }
        let next = try await couple.alice.write("two", to: couple.bob)
        #expect(next.sent == first.sent + (point == .before ? 1 : 2))
        #expect(try await couple.bob.read(next) == "two")
    }

    @Test(arguments: [MemoryStore.FaultPoint.before, .after])
    func `an interrupted pairing goes on from either side of its commit`(
        point: MemoryStore.FaultPoint
    ) async throws {
        let clock = TestClock()
        let alice = try await Person("Alice", clock: clock)
        let bob = try await Person("Bob", clock: clock)
        let offer = try #require(try await alice.vault(Operations.makeOffer, OfferRequest(), nil).code)
        try bob.faulty().fail(atCommit: try bob.faulty().commits + 1, point)
        await #expect(throws: VaultError.store(.commitUnknown)) {
            try await bob.vault(Operations.accept, offer, AcceptOptions())
        }
        // The same code again gives the answer: a new one before the commit, the cached one after it.
        let answer = try #require(try await bob.vault(Operations.accept, offer, AcceptOptions()).code)
        try alice.faulty().fail(atCommit: try alice.faulty().commits + 1, point)
        await #expect(throws: VaultError.store(.commitUnknown)) {
            try await alice.vault(Operations.accept, answer, AcceptOptions())
        }
        _ = try await alice.vault(Operations.accept, answer, AcceptOptions())
        #expect(try await bob.read(try await alice.write("here", to: bob)) == "here")
    }

    @Test func `a refused act leaves the store as it was`() async throws {
        let couple = try await Couple()
        let before = try couple.alice.faulty().commits
        await #expect(throws: VaultError.hsip(.badPlaintext)) {
            try await couple.alice.vault(Operations.encrypt, try Secret(copying: [0x61, 0, 0x62]), "bob")
        }
        await #expect(throws: VaultError.hsip(.unknownContact)) {
            try await couple.alice.vault(Operations.encrypt, try Secret(copying: [0x61]), "nobody")
        }
        #expect(try couple.alice.faulty().commits == before)
    }

    @Test func `after a restore nothing is sealed until the session is renewed`() async throws {
        let couple = try await Couple()
        _ = try await couple.bob.read(try await couple.alice.write("before", to: couple.bob))
        try couple.alice.faulty().raiseFloor()
        let refusal = await #expect(throws: VaultError.self) {
            try await couple.alice.write("after", to: couple.bob)
        }
        guard case .hsip(.restored) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        let rotate = try #require(
            try await couple.alice.vault(Operations.nextCode, "bob", OfferRequest()).code
        )
        let accept = try #require(try await couple.bob.vault(Operations.accept, rotate, AcceptOptions()).code)
        _ = try await couple.alice.vault(Operations.accept, accept, AcceptOptions())
        #expect(try await couple.bob.read(try await couple.alice.write("clean", to: couple.bob)) == "clean")
    }
}
