import Testing
import VaultCrypto

@testable import Secrets

struct UniformRandomTests {
    @Test func `a draw that would favour small numbers is drawn again`() throws {
        // 2³² mod 10 = 6: the values 0 to 5 are one time too many.
        let draws: [UInt32] = [0, 5, 6, 17, .max]
        let entropy = Entropy { count in
            let bytes = draws.flatMap { draw in (0..<4).map { UInt8(truncatingIfNeeded: draw >> (8 * $0)) } }
            return Array((0..<count).map { bytes[$0 % bytes.count] })
        }
        var random = try UniformRandom(entropy)
        #expect(try random.next(below: 10) == 6)
        #expect(try random.next(below: 10) == 7)
        #expect(try random.next(below: 10) == Int(UInt32.max % 10))
        #expect(try random.next(below: 10) == 6)
    }

    @Test(arguments: [1, 2, 3, 10, 88, 2_048]) func `every number below the bound comes, and no other`(
        bound: Int
    ) throws {
        var random = try UniformRandom(.seeded(Array("lots \(bound)".utf8)))
        var seen: Set<Int> = []
        for _ in 0..<bound * 20 { seen.insert(try random.next(below: bound)) }
        #expect(seen == Set(0..<bound))
    }
}
