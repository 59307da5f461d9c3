import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultPolicy

@testable import VaultKit

/// How many bytes a program may keep, with items that only say how many they have.
struct ItemShareTests {
    private let fixture = ItemVault()
    /// What the item of `store("x", ["a": "1"])` counts: label, attribute, and the least for its body.
    private static let small = 3 + 4_096
    private static let share = 64 << 20

    @Test(arguments: [0, 1])
    func `a program may fill its share, and not by one byte more`(over: Int) async throws {
        try put([16 << 20, 16 << 20, 16 << 20, (16 << 20) - Self.small + over], by: "/usr/bin/git")
        let before = try generation()
        if over == 0 {
            _ = try await fixture.store("x", ["a": "1"])
            #expect(try await share("/usr/bin/git") == Self.share)
        } else {
            await #expect(throws: VaultError.item(.tooManyBytes(limit: Self.share))) {
                _ = try await fixture.store("x", ["a": "1"])
            }
            #expect(try generation() == before)
            #expect(try await fixture.found(["a": "1"]).open.isEmpty)
        }
        // The others have room all the same.
        _ = try await fixture.store("x", ["a": "1"], by: ItemVault.browser)
    }

    @Test(arguments: [0, 1])
    func `an item grows within the share only, and may always shrink`(over: Int) async throws {
        let large = String(repeating: "v", count: 10_000)
        let id = try await fixture.store(large, ["a": "1"], replacing: true).place.id
        let bytes = try #require(try await fixture.vault.loadedItems().index[id]?.bytes)
        #expect((10_001..<10_200).contains(bytes))
        _ = try await fixture.store("small", ["a": "1"], replacing: true)
        #expect(try await fixture.vault.loadedItems().index[id]?.bytes == nil)
        let rest = Self.share - (48 << 20) - 3 - bytes + over
        try put([16 << 20, 16 << 20, 16 << 20, rest], by: "/usr/bin/git")
        if over == 0 {
            _ = try await fixture.store(large, ["a": "1"], replacing: true)
            #expect(try await fixture.value(id) == large)
            _ = try await fixture.store("small", ["a": "1"], replacing: true)
        } else {
            let before = try generation()
            await #expect(throws: VaultError.item(.tooManyBytes(limit: Self.share))) {
                _ = try await fixture.store(large, ["a": "1"], replacing: true)
            }
            var change = ItemChange()
            change.value = try Secret(copying: Array(large.utf8))
            await #expect(throws: VaultError.item(.tooManyBytes(limit: Self.share))) {
                _ = try await fixture.call(Operations.setItem, [id], change, by: ItemVault.git)
            }
            #expect(try generation() == before)
        }
        #expect(try await fixture.value(id) == "small")
    }

    @Test func `what a program takes over from another counts for it with all its bytes`() async throws {
        let large = String(repeating: "v", count: 100_000)
        let id = try await fixture.store(large, ["a": "1"], by: ItemVault.browser).place.id
        try put([16 << 20, 16 << 20, 16 << 20, (16 << 20) - 50_000], by: "/usr/bin/git")
        let again = large + "!"
        await #expect(throws: VaultError.item(.tooManyBytes(limit: Self.share))) {
            _ = try await fixture.store(again, ["a": "1"], replacing: true, yes: true)
        }
        #expect(try await fixture.value(id, by: ItemVault.browser) == large)
    }

    @Test func `an import may bring more of nobody's than a program that is not known may add`() async throws
    {
        try put([16 << 20, 16 << 20, 16 << 20, 16 << 20], by: nil)
        let taken = try await fixture.own.importItems(ItemImport([imported("1", ["a": "1"])]))
        let id = try #require(taken[0].place?.id)
        await #expect(throws: VaultError.item(.tooManyBytes(limit: Self.share))) {
            _ = try await fixture.store("x", ["b": "1"], by: ItemVault.unknown)
        }
        // What is nobody's can be renewed by a program that a person lets do it.
        _ = try await fixture.store(
            String(repeating: "v", count: 9_000),
            ["a": "1"],
            replacing: true,
            yes: true
        )
        #expect(try await fixture.vault.loadedItems().index[id]?.bytes ?? 0 > 9_000)
    }

    @Test func `all items together have a limit, and an import leaves out what finds no room`() async throws {
        for owner in 0..<16 { try put([16 << 20], by: "/usr/bin/p\(owner)", named: "p\(owner)") }
        let before = try generation()
        let batch = try ItemImport([imported("1", ["a": "1"]), imported("2", ["a": "2"])])
        #expect(try await fixture.own.importItems(batch).map(\.act) == [.noRoom, .noRoom])
        #expect(try await fixture.own.importItems(batch, isTrial: true).map(\.act) == [.noRoom, .noRoom])
        await #expect(throws: VaultError.item(.tooManyBytes(limit: 256 << 20))) {
            _ = try await fixture.call(Operations.makeItem, making("x", ["a": "1"]), by: ItemVault.git)
        }
        #expect(try generation() == before)
        _ = try await fixture.own(Operations.removeItem, ["p00"])
        #expect(try await fixture.own.importItems(batch).map(\.act) == [.added, .added])
    }

    @Test func `a program's own trash has a share, too, and a person's acts empty none`() async throws {
        let now = fixture.clock.now
        try put((0..<5).map { _ in 16 << 20 }, by: "/usr/bin/git", named: "r", removed: now - 100)
        try put([16 << 20], by: "/usr/bin/browser", named: "b", removed: now - 200)
        let first = try await fixture.store("x", ["a": "1"]).place.id
        _ = try await fixture.own(Operations.removeItem, [first])
        #expect(try await trash() == ["b0", "r0", "r1", "r2", "r3", "r4", first].sorted())
        let second = try await fixture.store("x", ["a": "1"]).place.id
        _ = try await fixture.call(Operations.removeItem, [second], by: ItemVault.git)
        #expect(try await trash() == ["b0", "r2", "r3", "r4", first, second].sorted())
    }

    @Test func `many programs fill the trash together by a bound, and those that have most give way`()
        async throws
    {
        let now = fixture.clock.now
        try put([8 << 20], by: "/usr/bin/browser", named: "b", removed: now - 300)
        try put((0..<3).map { _ in 16 << 20 }, by: nil, named: "n", removed: now - 300)
        for owner in 0..<5 {
            try put(
                (0..<3).map { _ in 16 << 20 },
                by: "/usr/bin/p\(owner)",
                named: "p\(owner)",
                removed: now - 200
            )
        }
        let first = try await fixture.store("x", ["a": "1"]).place.id
        _ = try await fixture.own(Operations.removeItem, [first])
        let all = ["b0", "n0", "n1", "n2"] + (0..<5).flatMap { ["p\($0)0", "p\($0)1", "p\($0)2"] } + [first]
        #expect(try await trash() == all.sorted())
        // The fifth has 64 MiB from now on, and all programs have 264.
        try put([16 << 20], by: "/usr/bin/p4", named: "q", removed: now - 100)
        let second = try await fixture.store("x", ["a": "1"]).place.id
        _ = try await fixture.call(Operations.removeItem, [second], by: ItemVault.git)
        // The oldest of it goes, though git fills the trash; what the others have, and what is nobody's, stays.
        #expect(try await trash() == (all.filter { $0 != "p40" } + ["q0", second]).sorted())
    }

    // MARK: Steps

    private func put(_ sizes: [Int], by owner: String?, named name: String = "i", removed: UInt64? = nil)
        throws
    {
        let body = try ItemContent(Secret(copying: [1]), at: 1).content()
        var changes = try fixture.store.read { ChangeSet(floor: $0.floor) }
        for (number, size) in sizes.enumerated() {
            var attributes = ["collection": "login", "bytes": "\(size)"]
            attributes["owner"] = owner
            attributes["removed"] = removed.map { "\($0 + UInt64(number))" }
            let draft = RecordDraft(
                id: try RecordID(ItemRecord.kind, "\(name)\(number)"),
                attributes: try Attributes(attributes),
                body: body
            )
            changes.put(draft, expecting: 0)
        }
        try fixture.store.commit(changes)
    }

    private func generation() throws -> UInt64 { try fixture.store.read { $0.generation } }

    private func share(_ owner: String) async throws -> Int? {
        try await fixture.vault.loadedItems().owned[ProgramIdentity(owner)]?.bytes
    }

    private func trash() async throws -> [String] {
        try await fixture.own(Operations.itemSearch, ItemSearch(inTrash: true)).open.map(\.id).sorted()
    }
}
