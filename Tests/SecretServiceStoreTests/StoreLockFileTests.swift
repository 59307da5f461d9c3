import Foundation
import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import Testing

/// The lock file: what it says is believed only while it is whole, and lost numbers are never used twice.
@Suite struct StoreLockFileTests {
    /// What may become of the file between two acts.
    enum Fate: CaseIterable {
        case removed, dirty, empty, cutShort, tooLong, otherVault, otherBoot, leadingZero, noise,
            folderRemoved

        func befall(_ vault: StoreScratchKeyring) throws {
            let path = try vault.lockPath
            let text = try vault.lockText()
            func write(_ text: String) throws {
                let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: Data(text.utf8))
                try handle.close()
            }
            let fields = text.split(separator: " ").map(String.init)
            switch self {
            case .removed: try vault.logOut()
            case .folderRemoved: try FileManager.default.removeItem(atPath: vault.paths.lockFolder)
            case .dirty: try write(text.replacingOccurrences(of: "clean", with: "dirty"))
            case .empty: try write("")
            case .cutShort: try write(String(text.dropLast(3)))
            case .tooLong: try write(text + "x")
            case .otherVault: try write(text.replacingOccurrences(of: fields[1], with: zeros))
            case .otherBoot: try write(text.replacingOccurrences(of: fields[2], with: zeros))
            case .leadingZero: try write(text.replacingOccurrences(of: " 1 ", with: " 01"))
            case .noise: try write(String(repeating: "\u{7F}", count: 192))
            }
        }

        private var zeros: String { String(repeating: "0", count: 32) }
    }

    @Test func `it says where the vault is, in one line that is always as long`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(RecordID("n", "a"), "x")
        let text = try vault.lockText()
        #expect(text.utf8.count == 192 && text.hasSuffix("\n"))
        let fields = text.split(whereSeparator: \.isWhitespace)
        #expect(fields[0] == "HSIP-LOCK-1" && fields[3...5] == ["1", "2", "0"] && fields[7] == "clean")
        let mode = try FileManager.default.attributesOfItem(atPath: vault.lockPath)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: vault.paths.lockFolder)
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test(arguments: Fate.allCases)
    func `no number is skipped or used twice, whatever became of the file`(fate: Fate) throws {
        let vault = try StoreScratchKeyring()
        var store = try vault.create()
        let id = try RecordID("n", "a")
        var last = try store.put(id, "0")
        #expect(last == 2)
        for round in 1...3 {
            try fate.befall(vault)
            // Once through the same eyes, once through fresh ones.
            if round == 2 { store = try vault.open(store.vaultID) }
            #expect(try store.read { $0.generation } >= last)
            let next = try store.put(id, "\(round)")
            #expect(next == last + 1)
            last = try store.put(id, "again")
            #expect(last == next + 1)
        }
        #expect(try vault.open(store.vaultID, OpenOptions(requireAnchor: true)).noted.isEmpty)
        #expect(try store.verify().records == 1)
    }

    @Test func `a commit that follows on another writes the root and nothing else`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        let id = try RecordID("n", "a")
        try store.put(id, "0")
        var changes = ChangeSet(floor: 0)
        let record = try store.read { reader throws(StoreError) in try reader.find(id) }
        changes.put(RecordDraft(id: id, body: try #require(record).body), expecting: 2)
        vault.service.fail(nil)
        let writes = vault.service.writes
        try store.commit(changes)
        #expect(vault.service.writes == writes + 1)
        // Read, written, read back.
        #expect(vault.service.calls == 3)
        vault.service.fail(nil)
        _ = try store.text(id)
        #expect(vault.service.calls == 1)
        vault.service.fail(nil)
        _ = try store.read { reader throws(StoreError) in try reader.list(RecordKind("n")) }
        #expect(vault.service.calls == 1)
    }

    @Test func `a lock file that someone else could write is refused`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        let path = try vault.lockPath
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: StoreError.unsafeFile(path: path, .mode(0o644))) { try store.verify() }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
        #expect(throws: StoreError.unsafeFile(path: path, .wrongType)) { try store.verify() }
        try FileManager.default.removeItem(atPath: path)
        let folder = vault.paths.lockFolder
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        #expect(throws: StoreError.unsafeFile(path: folder, .mode(0o755))) { try vault.open(store.vaultID) }
    }

    @Test func `a store that only reads sees through an interruption without a write`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(RecordID("n", "a"), "x")
        try vault.logOut()
        let (before, writes) = (vault.service.items, vault.service.writes)
        let reader = try vault.open(store.vaultID, OpenOptions(readOnly: true))
        #expect(try reader.text(RecordID("n", "a")) == "x")
        #expect(vault.service.items == before && vault.service.writes == writes)
        #expect(throws: StoreError.readOnly) { try reader.put(RecordID("n", "a"), "y") }
        #expect(throws: StoreError.readOnly) { try reader.acceptRollback() }
    }

    @Test func `a closed store answers nothing`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        store.lock()
        #expect(throws: StoreError.locked) { try store.verify() }
        #expect(throws: StoreError.locked) { try store.put(RecordID("n", "a"), "x") }
        try vault.logOut()
        #expect(throws: StoreError.locked) { try store.verify() }
    }

    @Test func `another vault of the same service is not touched`() throws {
        let vault = try StoreScratchKeyring()
        let (one, two) = (try vault.create(), try vault.create())
        let id = try RecordID("n", "a")
        try one.put(id, "one")
        try two.put(id, "two")
        #expect(try one.text(id) == "one" && two.text(id) == "two")
        try SecretServiceStore.erase(vaultID: one.vaultID, items: vault.service)
        #expect(throws: StoreError.notFound) { try vault.open(one.vaultID) }
        #expect(try vault.open(two.vaultID).text(id) == "two")
        let left = try SecretServiceStore.vaults(items: vault.service)
        #expect(left.map(\.vaultID) == [two.vaultID] && left.map(\.name) == ["home"])
    }
}
