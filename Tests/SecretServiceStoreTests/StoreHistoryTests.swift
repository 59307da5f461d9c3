import Foundation
import Glibc
import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import Testing

/// Old copies of a keyring, other histories, and vaults that moved away.
@Suite struct StoreHistoryTests {
    static func id() throws -> RecordID { try RecordID("n", "a") }

    /// A vault that was put back after a later login had written to it.
    private func oldCopy() throws -> (StoreScratchKeyring, SecretServiceStore) {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "old")
        let copy = vault.service.items
        try vault.logOut()
        try store.put(Self.id(), "new")
        vault.service.restore(copy)
        try vault.logOut()
        return (vault, store)
    }

    @Test func `a keyring put back from a copy is noticed`() throws {
        let (vault, store) = try oldCopy()
        let rollback = StoreError.rollback(
            found: Position(epoch: 1, generation: 2),
            expected: Position(epoch: 1, generation: 3)
        )
        #expect(throws: rollback) { try vault.open(store.vaultID) }
        #expect(throws: rollback) { try store.text(Self.id()) }
        #expect(throws: rollback) { try store.put(Self.id(), "x") }
        #expect(throws: rollback) { try vault.open(store.vaultID, OpenOptions(readOnly: true)) }
    }

    @Test func `an old copy is read on request, and never written`() throws {
        let (vault, store) = try oldCopy()
        let items = vault.service.items
        let old = try vault.open(store.vaultID, OpenOptions(stale: true))
        #expect(old.isReadOnly)
        #expect(
            old.noted == [
                .stale(
                    found: Position(epoch: 1, generation: 2),
                    expected: Position(epoch: 1, generation: 3)
                )
            ]
        )
        #expect(try old.text(Self.id()) == "old")
        #expect(throws: StoreError.readOnly) { try old.put(Self.id(), "x") }
        #expect(vault.service.items == items)
    }

    @Test func `an old copy that is taken as the vault is beyond everything seen`() throws {
        let (vault, store) = try oldCopy()
        var options = OpenOptions()
        options.acceptsRollback = true
        let old = try vault.open(store.vaultID, options)
        try old.acceptRollback()
        let fresh = try vault.open(store.vaultID, OpenOptions(requireAnchor: true))
        let status = try fresh.status()
        #expect(status.floor == 4 && status.position == Position(epoch: 1, generation: 4))
        #expect(status.records == 1 && !status.isReadOnly && status.events.isEmpty)
        #expect(
            try fresh.read { reader throws(StoreError) in try reader.list(nil) }.first?.predatesRestore
                == true
        )
        #expect(try fresh.put(Self.id(), "x") == 5)
    }

    @Test func `a history that was gone on with elsewhere is a fork`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "old")
        let copy = vault.service.items
        try vault.logOut()
        try store.put(Self.id(), "here")
        let path = vault.paths.anchor(store.vaultID)
        let anchor = try Data(contentsOf: URL(fileURLWithPath: path))
        vault.service.restore(copy)
        try vault.logOut()
        try vault.removeAnchor()
        _ = try vault.open(store.vaultID)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: anchor)
        try handle.close()
        #expect(throws: StoreError.fork) { try vault.open(store.vaultID) }
        #expect(throws: StoreError.fork) { try store.put(Self.id(), "x") }
    }

    @Test func `a vault that moved away is not written any more`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "x")
        let items = vault.service.items
        let anchor = Anchor(path: vault.paths.anchor(store.vaultID), vaultID: store.vaultID)
        let there = Position(epoch: 2, generation: 3)
        try anchor.raise(
            to: AnchorText(vaultID: store.vaultID, position: there, tag: Array(repeating: 7, count: 16))
        )
        let rollback = StoreError.rollback(found: Position(epoch: 1, generation: 2), expected: there)
        #expect(throws: rollback) { try store.put(Self.id(), "y") }
        #expect(throws: rollback) { try vault.open(store.vaultID) }
        #expect(throws: rollback) { try store.text(Self.id()) }
        #expect(vault.service.items == items)
    }

    @Test func `a keyring put back within one login is noticed, and taken on request`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "1")
        let copy = vault.service.items
        try store.put(Self.id(), "2")
        vault.service.restore(copy)
        let rollback = StoreError.rollback(
            found: Position(epoch: 1, generation: 2),
            expected: Position(epoch: 1, generation: 3)
        )
        #expect(throws: rollback) { try store.put(Self.id(), "x") }
        #expect(throws: rollback) { try vault.open(store.vaultID) }
        #expect(throws: rollback) { try store.text(Self.id()) }
        #expect(throws: rollback) { try vault.open(store.vaultID, OpenOptions(readOnly: true)) }
        #expect(try vault.open(store.vaultID, OpenOptions(stale: true)).text(Self.id()) == "1")
        // Nor does the next login forget it.
        try vault.logOut()
        #expect(throws: rollback) { try vault.open(store.vaultID) }
        #expect(vault.service.items == copy)

        var options = OpenOptions()
        options.acceptsRollback = true
        try vault.open(store.vaultID, options).acceptRollback()
        let fresh = try vault.open(store.vaultID)
        #expect(try fresh.status().floor == 4)
        #expect(try fresh.text(Self.id()) == "1")
        #expect(try fresh.put(Self.id(), "2") == 5)
    }

    @Test func `the anchor of another history is a fork within one login as well`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "1")
        let copy = vault.service.items
        try store.put(Self.id(), "2")
        let other = vault.service.items
        vault.service.restore(copy)
        try vault.logOut()
        try vault.removeAnchor()
        var options = OpenOptions()
        options.acceptsRollback = true
        try vault.open(store.vaultID, options).acceptRollback()
        vault.service.restore(other)
        #expect(throws: StoreError.fork) { try store.text(Self.id()) }
        #expect(throws: StoreError.fork) { try store.put(Self.id(), "3") }
    }

    @Test func `a missing anchor is told, or refused on request`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        #expect(try vault.open(store.vaultID).noted.isEmpty)
        try store.put(Self.id(), "x")
        try vault.removeAnchor()
        #expect(throws: StoreError.anchorRequired) {
            try vault.open(store.vaultID, OpenOptions(requireAnchor: true))
        }
        #expect(try vault.open(store.vaultID).noted == [.anchorMissing])
        // It was made again, and what is there counts as restored.
        let again = try vault.open(store.vaultID, OpenOptions(requireAnchor: true))
        #expect(again.noted.isEmpty)
        #expect(
            try again.read { reader throws(StoreError) in try reader.list(nil) }.map(\.predatesRestore)
                == [true]
        )
    }

    @Test func `an anchor that cannot be written stops no one, and is told`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        let path = vault.paths.anchor(store.vaultID)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try store.put(Self.id(), "x")
        #expect(store.noted == [.anchorNotWritten(.unsafeFile(path: path, .wrongType))])
    }

    @Test func `who commits under another lock file does not use a number twice`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "x")
        // A shell without a runtime folder: its lock lies elsewhere, its anchor does not.
        let other = try SecretServiceStore.open(
            vaultID: store.vaultID,
            paths: KeyringPaths(
                anchorFolder: vault.paths.anchorFolder,
                lockFolder: vault.paths.anchorFolder + "/run"
            ),
            items: vault.service,
            describe: { _ in StoreFakeService.info },
            entropy: vault.entropy,
            now: { 1 }
        )
        var revisions = [try store.read { $0.generation }]
        for round in 0..<4 {
            revisions.append(try other.put(Self.id(), "other \(round)"))
            revisions.append(try store.put(Self.id(), "own \(round)"))
            revisions.append(try store.put(Self.id(), "again \(round)"))
        }
        #expect(revisions == revisions.sorted() && Set(revisions).count == revisions.count)
        #expect(try store.verify().records == 1)
    }

    @Test(arguments: [false, true])
    func `a service that forgets what it was told does not make numbers come twice`(isOpen: Bool) throws {
        let vault = try StoreScratchKeyring()
        vault.service.forgets()
        let store = try vault.create()
        try store.put(Self.id(), "sent 1")
        let saved = vault.service.items
        for number in 2...21 { try store.put(Self.id(), "sent \(number)") }
        #expect(try store.text(Self.id()) == "sent 21")
        // It is killed, and what it had saved is there again.
        vault.service.restore(saved)
        if !isOpen { try vault.logOut() }
        let rollback = StoreError.rollback(
            found: Position(epoch: 1, generation: 2),
            expected: Position(epoch: 1, generation: 22)
        )
        #expect(throws: rollback) { try store.text(Self.id()) }
        #expect(throws: rollback) { try store.put(Self.id(), "sent 2") }
        #expect(throws: rollback) { try vault.open(store.vaultID) }
        var options = OpenOptions()
        options.acceptsRollback = true
        let taken = try vault.open(store.vaultID, options)
        try taken.acceptRollback()
        let id = try Self.id()
        let info = try taken.read { reader throws(StoreError) in try reader.info(id) }
        #expect(info?.predatesRestore == true)
        #expect(try taken.put(Self.id(), "after") > 23)
        #expect(try vault.open(store.vaultID).text(Self.id()) == "after")
    }

    @Test func `what a service keeps in memory only goes on over logins`() throws {
        let vault = try StoreScratchKeyring()
        vault.service.forgets()
        let store = try vault.create()
        let first = try store.put(Self.id(), "one")
        try vault.logOut()
        let second = try vault.open(store.vaultID)
        #expect(try second.put(Self.id(), "two") == first + 1)
        #expect(try store.put(Self.id(), "three") == first + 2)
        try store.acceptRollback()
        #expect(try second.put(Self.id(), "four") == first + 4)
    }
}
