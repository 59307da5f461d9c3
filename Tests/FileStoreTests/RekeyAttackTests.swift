import FileStore
import Foundation
import Glibc
import RecordStore
import Support
import Synchronization
import Testing
import VaultCrypto

/// A new vault key against those who have the old one, and against accidents at its turning point.
@Suite struct RekeyAttackTests {
    private let vault: ScratchVault
    private let first: Unlock

    init() throws {
        vault = try ScratchVault()
        first = .recovery(try ScratchVault.code())
    }

    private func open(_ paths: VaultPaths? = nil, _ options: OpenOptions = OpenOptions()) throws -> FileStore
    {
        try FileStore.open(
            at: paths ?? vault.paths,
            unlock: first,
            options: options,
            entropy: vault.entropy,
            now: { 1 }
        )
    }

    @Test func `a store that is locked in the midst of it says that the key was changed`() throws {
        let store = try vault.create()
        try store.put(RecordID("note", "a"), "x")
        let prepared = try store.prepareRekey([.carried(1)])
        let report = try store.rekey(prepared) { _, _ throws(StoreError) in
            store.lock()
            return []
        }
        #expect(report.position == Position(epoch: 2, generation: 3))
        #expect(report.records == 1 && report.slots.map(\.label) == ["paper"])
        #expect(refusal { _ = try store.slots() } == .locked)
        #expect(try open().verify().position == report.position)
    }

    @Test func `the draft of a change is no vault: nothing opens it`() throws {
        let kept = vault.scratch.path + "/kept"
        let folder = vault.scratch.path + "/vault"
        // Each nonce is asked for while the draft is there: a second name keeps it when the first one goes.
        let isWatching = Mutex(false)
        let plain = vault.entropy
        let watching = Entropy { count in
            if isWatching.withLock({ $0 }) {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                for name in names where name.contains(".new-") && !name.hasSuffix("-journal") {
                    _ = unsafe link("\(folder)/\(name)", kept)
                }
            }
            return plain.bytes(count)
        }
        let store = try FileStore.create(
            at: vault.paths,
            slots: [ScratchVault.slot()],
            entropy: watching,
            now: { 1 }
        )
        for number in 0..<5 { try store.put(RecordID("note", "n\(number)"), "x") }
        let prepared = try store.prepareRekey([.carried(1)])
        isWatching.withLock { $0 = true }
        _ = try store.rekey(prepared)
        isWatching.withLock { $0 = false }
        store.lock()
        let draft = try Database(kept)
        #expect(try draft.number("SELECT count(*) FROM record") == 5)
        #expect(try draft.number("SELECT count(*) FROM slot") == 0)
        #expect(try draft.text("SELECT hex(vault_id) FROM head") != Hex.encode(store.vaultID).uppercased())
        let elsewhere = VaultPaths(vault: kept, anchorFolder: vault.scratch.path + "/no-anchor")
        #expect(refusal { _ = try open(elsewhere) } == .noSuchSlot)
        #expect(try open().verify().records == 5)
    }

    @Test
    func `a new key that was not made here is told, where someone with the old one could have made it`()
        throws
    {
        let store = try vault.create()
        try store.put(RecordID("note", "a"), "x")
        let anchor = vault.paths.anchor(ScratchVault.vaultID)
        let before = try Data(contentsOf: URL(fileURLWithPath: anchor))
        let seen = try store.status().position
        let phrase = Unlock.passphrase(try Secret(copying: Array("a passphrase".utf8)))
        try store.addSlot(NewSlot(phrase, label: "desk", parameters: PasswordHash.floor), unlock: first)
        let added = try store.status().position
        let report = try store.rekey(store.prepareRekey([.carried(1), .remade(2, phrase)]))
        store.lock()
        // Here it was made, and the anchor knows it.
        #expect(try open().noted.isEmpty)
        func forget() throws { try before.write(to: URL(fileURLWithPath: anchor)) }
        try forget()
        #expect(try open().noted == [.keyReplaced(found: report.position, expected: seen)])
        // It is told once: from then on the anchor knows it.
        #expect(try open().noted.isEmpty)
        // No one makes a slot of a passphrase without the passphrase.
        try forget()
        let typed = try FileStore.open(
            at: vault.paths,
            unlock: phrase,
            entropy: vault.entropy,
            now: { 1 }
        )
        #expect(typed.noted.isEmpty)
        #expect(added < report.position)
    }

    @Test func `a vault that someone with the old key makes later opens by the carried slot, and is told`()
        throws
    {
        let store = try vault.create()
        try store.put(RecordID("note", "a"), "mine")
        // The thief's: a copy of before, the old key, and a key of their own at a later epoch.
        let copy = try vault.snapshot()
        let report = try store.rekey(store.prepareRekey([.carried(1)]))
        store.lock()
        let theirs = VaultPaths(
            vault: vault.scratch.path + "/theirs",
            anchorFolder: vault.scratch.path + "/thief"
        )
        try copy.write(to: URL(fileURLWithPath: theirs.vault))
        #expect(unsafe chmod(theirs.vault, 0o600) == 0)
        for _ in 0..<2 {
            let thief = try open(theirs)
            try thief.put(RecordID("note", "a"), "planted")
            _ = try thief.rekey(thief.prepareRekey([.carried(1)]))
            thief.lock()
        }
        try vault.restore(Data(contentsOf: URL(fileURLWithPath: theirs.vault)))
        let opened = try open()
        // Nothing refuses it: that is the limit, and the reason why it is told.
        #expect(try opened.text(RecordID("note", "a")) == "planted")
        let found = try opened.status().position
        #expect(found.epoch == 3)
        #expect(opened.noted == [.keyReplaced(found: found, expected: report.position)])
    }
}
