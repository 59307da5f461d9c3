import Secrets
import Testing
import VaultCrypto

@testable import Commands
@testable import VaultKit

/// What was found in a keyring, as it is taken: in parts that travel, and no more than a vault has.
@Suite struct KeyringPartsTests {
    private func found(_ sizes: [Int]) throws -> KeyringItemSource.Found {
        var found = KeyringItemSource.Found()
        for (number, size) in sizes.enumerated() {
            let value = try SecretBytes(count: size) { _ in }
            found.items.append(
                ImportedItem(
                    collection: "login",
                    label: "\(number)",
                    attributes: .none,
                    value: Secret(value),
                    modified: UInt64(number)
                )
            )
        }
        return found
    }

    @Test func `parts hold every item once, the newest change first, and none is longer than it may be`()
        throws
    {
        let found = try found(Array(repeating: 1_000, count: 25))
        let parts = found.parts(bytes: 5_500)
        #expect(parts.flatMap { $0 }.map(\.label) == (0..<25).reversed().map { "\($0)" })
        #expect(parts.count == 5 && parts.allSatisfy { $0.count == 5 })
    }

    @Test func `an item that is longer than a part has one of its own, and nothing has none`() throws {
        let parts = try found([10, 9_000, 10]).parts(bytes: 5_000)
        #expect(parts.map { $0.map(\.label) } == [["2"], ["1"], ["0"]])
        #expect(KeyringItemSource.Found().parts(bytes: 5_000).isEmpty)
    }

    @Test func `of more than a vault has the oldest are left out and named`() throws {
        var found = try found([1, 1, 1, 1])
        found.keepNewest(4)
        #expect(found.items.count == 4 && found.leftOut.isEmpty)
        found.keepNewest(3)
        #expect(found.items.map(\.label) == ["3", "2", "1"] && found.leftOut.map(\.label) == ["0"])
    }
}
