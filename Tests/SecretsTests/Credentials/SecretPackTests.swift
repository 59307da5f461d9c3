import Secrets
import Testing
import VaultCrypto

/// Many secrets in few pieces.
struct SecretPackTests {
    private func bytes(_ secret: Secret) -> [UInt8] { secret.withBytes { $0.copied() } }

    @Test(arguments: [
        [], [0], [1, 0, 5], [1 << 20, 1 << 20, 1 << 20], [(2 << 20) - 4], [(2 << 20) - 3],
        [3, 5 << 20, 4], [(2 << 20) - 8, 1],
    ])
    func `what goes in comes out, in order`(sizes: [Int]) throws {
        let wanted = sizes.enumerated().map { place, size in
            (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ place) }
        }
        let pack = try SecretPack(try wanted.map { try Secret(copying: $0) })
        #expect(pack.count == sizes.count)
        #expect(try pack.secrets().map(bytes) == wanted)
    }

    @Test func `twenty thousand small secrets need few pieces of memory`() throws {
        var pack = SecretPack()
        for number in 0..<20_000 { try pack.append(try Secret(copying: Array("\(number)".utf8))) }
        let secrets = try pack.secrets()
        #expect(secrets.count == 20_000)
        #expect(bytes(secrets[19_999]) == Array("19999".utf8))
    }

    @Test func `a batch gives back names and credentials`() throws {
        var batch = CredentialBatch()
        for name in ["a", "b", "a"] {
            try batch.append(
                try Credential(.token, [CredentialField("token", text: name)], at: 5),
                named: name
            )
        }
        let items = try batch.items()
        #expect(items.map(\.name) == ["a", "b", "a"])
        #expect(try items[1].credential().current["token"].map { bytes($0.value) } == Array("b".utf8))
        #expect(throws: CredentialError.badName) {
            try batch.append(try items[0].credential(), named: "x\ny")
        }
    }
}
