import Synchronization
import Testing
import VaultCrypto

@testable import Secrets

/// Secrets that are shared and put together again.
struct SharingTests {
    @Test func `shares are those of another implementation, from the same randomness`() throws {
        let calls = Mutex(UInt64(100))
        for known in try Samples.sharings() {
            let secret = try SecretBytes(copying: try #require(Hex.decode(known.secret)))
            let entropy = Entropy { count in
                if count == 2 { return [UInt8(known.identifier >> 8), UInt8(known.identifier & 0xFF)] }
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                return Samples.fixed(call, count)
            }
            let shares = try Share.split(
                secret,
                threshold: known.threshold,
                count: known.count,
                entropy: entropy
            )
            #expect(try shares.map(Samples.text) == known.shares)
            let read = try known.shares.prefix(known.threshold).map { text in try Samples.share(text) }
            #expect(try Samples.combined(read) == secret.withBytes { $0.copied() })
            #expect(
                try RecoveryText.encode(secret).withBytes { String(decoding: $0.copied(), as: UTF8.self) }
                    == known.recoveryText
            )
        }
    }

    @Test(arguments: [(2, 3), (3, 5), (2, 2), (16, 16)])
    func `any of the shares that are enough give the secret, in any order`(
        threshold: Int,
        count: Int
    ) throws {
        let secret = Entropy.system.bytes(16)
        let shares = try Samples.split(threshold, of: count, secret)
        for some in shares.choices(of: threshold) {
            #expect(try Samples.combined(some) == secret)
            #expect(try Samples.combined(some.reversed()) == secret)
        }
        let few = try #require(shares.choices(of: threshold - 1).first)
        #expect(
            Samples.refusal { try Samples.combined(few) }
                == .shareCount(needed: threshold, found: threshold - 1)
        )
    }

    @Test func `secrets of every size come back, and other numbers are refused`() throws {
        for size in stride(from: 16, through: 64, by: 2) {
            let secret = Entropy.system.bytes(size)
            let shares = try Samples.split(2, of: 2, secret)
            let read = try shares.map { try Samples.share(try Samples.text($0)) }
            #expect(try Samples.combined(read) == secret, "\(size)")
        }
        for size in [0, 14, 17, 66] {
            #expect(
                Samples.refusal { try Samples.split(2, of: 3, Array(repeating: 1, count: size)) }
                    == .badParameters
            )
        }
        for (threshold, count) in [(0, 1), (2, 1), (1, 2), (17, 17), (2, 17), (-1, 3)] {
            #expect(Samples.refusal { try Samples.split(threshold, of: count) } == .badParameters)
        }
    }

    @Test func `two shares of three leave every byte of the secret possible`() throws {
        let shares = try Samples.split(3, of: 5)
        var seen = Set<UInt8>()
        for value in UInt8.min...UInt8.max {
            let third = try Secret(copying: [UInt8](repeating: value, count: 16))
            let polynomial = Polynomial(points: [
                .init(place: 0, values: shares[0].value), .init(place: 3, values: shares[3].value),
                .init(place: 4, values: third),
            ])
            seen.insert(try polynomial.values(at: Share.secretPlace).withBytes { $0.byte(at: 7) })
        }
        #expect(seen.count == 256)
    }

    @Test func `a sharing has random shares, and another identifier each time`() throws {
        let sharings = try (0..<8).map { _ in try Samples.split(3, of: 3) }
        #expect(Set(sharings.map(\.[0].header.identifier)).count > 1)
        #expect(Set(sharings.map { $0[0].value.withBytes { $0.copied() } }).count == sharings.count)
        #expect(sharings.joined().allSatisfy { $0.header.isPlain && $0.value.count == 16 })
    }

    @Test func `a share of another sharing is refused and leaves those that are here`() throws {
        // Of seeds, so that the identifiers are known to differ.
        func shares(_ seed: UInt8) throws -> [Share] {
            let secret = try SecretBytes(copying: Array(0..<16))
            return try Share.split(secret, threshold: 2, count: 3, entropy: .seeded([seed]))
        }
        let (ours, theirs) = (try shares(1), try shares(2))
        #expect(ours[0].header.identifier != theirs[0].header.identifier)
        var collection = ShareCollection()
        #expect(collection.needed == 1 && !collection.isComplete)
        try collection.add(ours[0])
        #expect(collection.needed == 2 && collection.count == 1)
        #expect(Samples.refusal { try collection.add(theirs[1]) } == .sharesDiffer(at: 2))
        #expect(Samples.refusal { try collection.add(ours[0]) } == .shareAgain(at: 2))
        #expect(
            Samples.refusal { _ = try collection.secret() }
                == .shareCount(needed: 2, found: 1)
        )
        try collection.add(ours[2])
        #expect(collection.isComplete)
        #expect(Samples.refusal { try collection.add(ours[1]) } == .shareCount(needed: 2, found: 3))
        #expect(
            try collection.secret().withBytes { $0.copied() } == Array(0..<16)
        )
    }

    @Test func `shares that were forged within one sharing are noticed by the proof`() throws {
        // The same randomness, another secret: identifier and numbers are equal, the values do not fit.
        func shares(_ secret: [UInt8]) throws -> [Share] {
            try Share.split(
                try SecretBytes(copying: secret),
                threshold: 2,
                count: 3,
                entropy: .seeded([1])
            )
        }
        let (ours, theirs) = (try shares(Array(0..<16)), try shares(Array(1...16)))
        #expect(ours[0].header.identifier == theirs[0].header.identifier)
        #expect(Samples.refusal { try Samples.combined([ours[0], theirs[1]]) } == .sharesWrong)
    }
}
