import Foundation
import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import Testing

/// A service that may lose what it acknowledged: only the anchor tells, so nothing goes on without it.
@Suite struct StoreForgettingTests {
    private static func id() throws -> RecordID { try RecordID("n", "a") }

    private static func generation(_ number: UInt64) -> Position { Position(epoch: 1, generation: number) }

    /// A vault with one record that was sent, and what the service has on its disk.
    private static func sent() throws -> (
        StoreScratchKeyring, SecretServiceStore, saved: [ItemPath: StoreFakeService.Item]
    ) {
        let vault = try StoreScratchKeyring()
        vault.service.forgets()
        let store = try vault.create()
        try store.put(id(), "sent 1")
        return (vault, store, vault.service.items)
    }

    @Test func `nothing is committed where the anchor cannot be written`() throws {
        let (vault, store, saved) = try Self.sent()
        let path = vault.paths.anchor(store.vaultID)
        let anchor = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: StoreError.anchorNotWritten(path: path, isMade: false)) {
            try store.put(Self.id(), "sent 2")
        }
        #expect(vault.service.items == saved)
        #expect(store.noted.isEmpty)
        try FileManager.default.removeItem(atPath: path)
        try anchor.write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try store.text(Self.id()) == "sent 1")
        #expect(try store.put(Self.id(), "sent 2") == 3)
    }

    @Test(arguments: [false, true])
    func `a commit whose anchor does not reach the disk fails, and its number is not used again`(
        isLost: Bool
    ) throws {
        let (vault, store, saved) = try Self.sent()
        let (folder, away) = (vault.paths.anchorFolder, vault.paths.anchorFolder + ".away")
        // A commit of one small record changes one item: the folder goes just before the turning point.
        vault.service.beforeWriting {
            do {
                try FileManager.default.moveItem(atPath: folder, toPath: away)
            } catch {
                Issue.record(error)
            }
        }
        let path = vault.paths.anchor(store.vaultID)
        // It stands, so nothing asks to make it again.
        #expect(throws: StoreError.anchorNotWritten(path: path, isMade: true)) {
            try store.put(Self.id(), "sent 2")
        }
        try FileManager.default.moveItem(atPath: away, toPath: folder)
        if isLost {
            vault.service.restore(saved)
            try vault.logOut()
            #expect(throws: StoreError.rollback(found: Self.generation(2), expected: Self.generation(3))) {
                try store.put(Self.id(), "another 2")
            }
        } else {
            #expect(try store.text(Self.id()) == "sent 2")
            #expect(try store.put(Self.id(), "sent 3") == 4)
        }
    }

    @Test func `what was committed before a kill is read only once the anchor tells of it`() throws {
        let (vault, store, saved) = try Self.sent()
        let path = vault.paths.anchor(store.vaultID)
        let other = try vault.open(store.vaultID)
        let before = try Data(contentsOf: URL(filePath: path))
        try store.put(Self.id(), "sent 2")
        // The other program died between the root and the anchor.
        try before.write(to: URL(filePath: path))
        #expect(try other.text(Self.id()) == "sent 2")
        vault.service.restore(saved)
        try vault.logOut()
        #expect(throws: StoreError.rollback(found: Self.generation(2), expected: Self.generation(3))) {
            try other.text(Self.id())
        }
    }

    @Test func `what the anchor tells is read, though it cannot be written`() throws {
        let (vault, store, _) = try Self.sent()
        let folder = vault.paths.anchorFolder
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        }
        #expect(try store.text(Self.id()) == "sent 1")
        #expect(try vault.open(store.vaultID).text(Self.id()) == "sent 1")
    }

    @Test func `no vault is made where the anchor cannot be written`() throws {
        let vault = try StoreScratchKeyring()
        vault.service.forgets()
        let folder = vault.paths.anchorFolder
        try Data().write(to: URL(filePath: folder))
        #expect {
            try vault.create()
        } throws: { error in
            if case .anchorNotWritten = error as? StoreError { true } else { false }
        }
        #expect(vault.service.items.isEmpty)
    }

    @Test func `a vault without an anchor stays shut where none can be made`() throws {
        let (vault, store, saved) = try Self.sent()
        let path = vault.paths.anchor(store.vaultID)
        try vault.removeAnchor()
        try Data().write(to: URL(filePath: vault.paths.anchorFolder))
        #expect(throws: (any Error).self) { try vault.open(store.vaultID) }
        #expect(vault.service.items == saved)
        try FileManager.default.removeItem(atPath: vault.paths.anchorFolder)
        // A file that says nothing is no anchor: what is there counts as restored.
        #expect(try vault.open(store.vaultID).noted == [.anchorMissing])
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
