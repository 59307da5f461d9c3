import Testing
import VaultCrypto

struct EntropyTests {
    @Test(arguments: [0, 1, 16, 32, 1000])
    func `as many bytes come as were asked for`(count: Int) throws {
        for entropy in [Entropy.system, .seeded([1])] {
            #expect(entropy.bytes(count).count == count)
            #expect(try entropy.secret(count).count == count)
        }
    }

    @Test func `the system does not repeat itself`() throws {
        let keys = Set((0..<100).map { _ in Entropy.system.bytes(16) })
        #expect(keys.count == 100)
        #expect(exposed(try Entropy.system.secret(16)) != exposed(try Entropy.system.secret(16)))
    }

    @Test func `the same seed gives the same stream`() throws {
        let (first, second) = (Entropy.seeded([1, 2]), Entropy.seeded([1, 2]))
        for count in [1, 32, 7] {
            #expect(first.bytes(count) == second.bytes(count))
        }
        #expect(exposed(try first.secret(20)) == exposed(try second.secret(20)))
    }

    @Test func `a seeded stream goes on, also for a copy of the value`() {
        let entropy = Entropy.seeded([1, 2])
        let copy = entropy
        #expect(Set([entropy.bytes(16), copy.bytes(16), entropy.bytes(16)]).count == 3)
    }

    @Test func `another seed gives another stream`() {
        #expect(Entropy.seeded([1]).bytes(16) != Entropy.seeded([2]).bytes(16))
        #expect(Entropy.seeded([]).bytes(16) != Entropy.seeded([0]).bytes(16))
    }

    @Test func `a negative count of secret bytes is refused`() {
        #expect(throws: CryptoError.outOfMemory) { _ = try Entropy.system.secret(-1) }
    }
}
