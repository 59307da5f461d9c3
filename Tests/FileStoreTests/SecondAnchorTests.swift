import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// A second memory of the newest head, kept where an attacker with both folders does not reach.
@Suite struct SecondAnchorTests {
    private let vault: ScratchVault
    private let id: RecordID

    init() throws {
        vault = try ScratchVault()
        id = try RecordID("n", "a")
        try vault.create().put(id, "old")
    }

    private func options(_ further: AnchorText?, _ change: (inout OpenOptions) -> Void = { _ in })
        -> OpenOptions
    {
        var options = OpenOptions()
        options.furtherAnchor = further
        change(&options)
        return options
    }

    private static func position(_ generation: UInt64) -> Position {
        Position(epoch: 1, generation: generation)
    }

    /// Both folders put back as they were, and what was remembered elsewhere meanwhile.
    private func putBack() throws -> AnchorText {
        let old = try vault.snapshot()
        let further = try written()
        try vault.restore(old)
        try vault.removeAnchor()
        return further
    }

    /// What a commit leaves to be remembered, by a store that is closed again.
    private func written() throws -> AnchorText {
        let store = try vault.open()
        try store.put(id, "new")
        return try #require(store.written)
    }

    @Test func `only a commit leaves something to remember`() throws {
        let store = try vault.open()
        #expect(store.written == nil)
        try store.put(id, "new")
        #expect(store.written?.position == Self.position(3))
        #expect(store.written?.vaultID == ScratchVault.vaultID)
    }

    @Test func `a vault and an anchor put back together are noticed`() throws {
        let further = try putBack()
        let expected = StoreError.rollback(found: Self.position(2), expected: Self.position(3))
        #expect(refusal { _ = try vault.open(options(further)) } == expected)
        #expect(try vault.open(options(nil)).noted == [.anchorMissing])
    }

    @Test func `an old copy is read on request, and accepted above everything seen`() throws {
        let further = try putBack()
        let stale = try vault.open(options(further) { $0.stale = true })
        #expect(stale.noted == [.stale(found: Self.position(2), expected: Self.position(3))])
        let accepting = try vault.open(options(further) { $0.acceptsRollback = true })
        #expect(try accepting.acceptRollback() == 4)
        #expect(try vault.open(options(further)).noted.isEmpty)
    }

    @Test func `one that is behind, or of another vault, says nothing`() throws {
        let store = try vault.open()
        try store.put(id, "new")
        let behind = try #require(store.written)
        try store.put(id, "newer")
        #expect(try vault.open(options(behind)).noted.isEmpty)
        let foreign = AnchorText(
            vaultID: [UInt8](repeating: 1, count: 16),
            position: Self.position(9),
            tag: behind.tag
        )
        #expect(try vault.open(options(foreign)).noted.isEmpty)
    }

    @Test func `as high and another tag is a fork`() throws {
        let store = try vault.open()
        try store.put(id, "new")
        let written = try #require(store.written)
        let other = AnchorText(vaultID: written.vaultID, position: written.position, tag: [UInt8](0..<16))
        #expect(refusal { _ = try vault.open(options(other)) } == .fork)
    }

    @Test func `it stands in for a missing anchor only where it is not behind`() throws {
        let store = try vault.open()
        try store.put(id, "new")
        let behind = try #require(store.written)
        try store.put(id, "newer")
        let newest = try #require(store.written)
        try vault.removeAnchor()
        #expect(try vault.open(options(newest)).noted.isEmpty)
        try vault.removeAnchor()
        let counted = try vault.open(options(behind))
        #expect(counted.noted == [.anchorMissing])
        let present = try #require(counted.written)
        try vault.removeAnchor()
        #expect(refusal { _ = try vault.open(options(nil) { $0.requireAnchor = true }) } == .anchorRequired)
        #expect(try vault.open(options(present) { $0.requireAnchor = true }).noted.isEmpty)
    }
}
