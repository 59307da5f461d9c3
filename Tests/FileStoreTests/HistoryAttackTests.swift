import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// Old copies of the whole file, and what the anchor has to say.
@Suite struct HistoryAttackTests {
    private let vault: ScratchVault
    private let id: RecordID

    init() throws {
        vault = try ScratchVault()
        id = try RecordID("n", "a")
        try vault.create().put(id, "old")
    }

    private static func position(_ generation: UInt64) -> Position {
        Position(epoch: 1, generation: generation)
    }

    @Test func `an old copy of the file is refused, read on request, and accepted once`() throws {
        let old = try vault.snapshot()
        try vault.open().put(id, "new")
        try vault.open().put(id, "newer")
        try vault.restore(old)
        let expected = StoreError.rollback(found: Self.position(2), expected: Self.position(4))
        #expect(refusal { _ = try vault.open() } == expected)

        let stale = try vault.open(OpenOptions(stale: true))
        #expect(try stale.text(id) == "old")
        #expect(stale.isReadOnly)
        #expect(stale.noted == [.stale(found: Self.position(2), expected: Self.position(4))])
        #expect(refusal { try stale.put(id, "x") } == .readOnly)
        #expect(refusal { try stale.acceptRollback() } == .readOnly)
        #expect(refusal { _ = try vault.open() } == expected)

        var options = OpenOptions()
        options.acceptsRollback = true
        let accepting = try vault.open(options)
        #expect(try accepting.acceptRollback() == 5)
        #expect(try accepting.status().floor == 5)
        let again = try vault.open()
        #expect(try again.text(id) == "old")
        #expect(try again.read { reader throws(StoreError) in try reader.info(id) }?.predatesRestore == true)
        #expect(try again.put(id, "new") == 6)
        #expect(again.noted.isEmpty)
    }

    @Test func `an old copy with its log stays as it is when it is read`() throws {
        let store = try vault.open()
        try store.put(id, "one")
        let files = FileManager.default
        let old = vault.scratch.path + "/vault/old.hsipvault"
        for ending in ["", "-wal"] {
            try files.copyItem(atPath: vault.paths.vault + ending, toPath: old + ending)
        }
        try store.put(id, "two")
        store.lock()
        func bytes() throws -> [Data] {
            try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: old + $0)) }
        }
        let before = try bytes()
        #expect(before[1].count > 0)
        let copy = try FileStore.open(
            at: VaultPaths(vault: old, anchorFolder: vault.paths.anchorFolder),
            withVaultKey: SecretBytes(copying: ScratchVault.vaultKey),
            options: OpenOptions(readOnly: true, stale: true),
            entropy: vault.entropy,
            now: { ScratchVault.now }
        )
        #expect(try copy.text(id) == "one")
        copy.lock()
        #expect(try bytes() == before)
    }

    @Test func `another history of the same length is a fork`() throws {
        let old = try vault.snapshot()
        let name = "/anchor-" + ScratchVault.vaultID.map(Self.hex).joined()
        let anchor = URL(fileURLWithPath: vault.paths.anchorFolder + name)
        let before = try Data(contentsOf: anchor)
        try vault.open().put(id, "one")
        let one = try vault.snapshot()
        try vault.restore(old)
        try before.write(to: anchor, options: [])
        try vault.open().put(id, "two")
        try vault.restore(one)
        #expect(refusal { _ = try vault.open() } == .fork)
        #expect(try vault.open(OpenOptions(stale: true)).text(id) == "one")
    }

    @Test func `a vault that this machine has no memory of counts as restored`() throws {
        try vault.removeAnchor()
        #expect(refusal { _ = try vault.open(OpenOptions(requireAnchor: true)) } == .anchorRequired)
        let store = try vault.open()
        #expect(store.noted == [.anchorMissing])
        let again = try vault.open(OpenOptions(requireAnchor: true))
        #expect(again.noted.isEmpty)
        let status = try again.status()
        #expect(status.floor == 3 && status.position == Self.position(3))
        #expect(try again.read { reader throws(StoreError) in try reader.info(id) }?.predatesRestore == true)
        #expect(refusal { try store.commit(ChangeSet(floor: 0)) } == .conflict)
    }

    @Test func `where no anchor can be written, a vault is restored again only after a change`() throws {
        // Nothing can be made there.
        let paths = VaultPaths(vault: vault.paths.vault, anchorFolder: "/proc/hsip-nowhere")
        func open() throws -> FileStore {
            try FileStore.open(
                at: paths,
                withVaultKey: SecretBytes(copying: ScratchVault.vaultKey),
                entropy: vault.entropy,
                now: { ScratchVault.now }
            )
        }
        for _ in 0..<3 {
            let store = try open()
            #expect(store.noted.first == .anchorMissing && store.noted.count == 2)
            #expect(try store.status().floor == 3 && store.status().position == Self.position(3))
        }
        #expect(try open().put(id, "new") == 4)
        #expect(try open().status().floor == 5)
    }

    @Test func `a copy that goes on elsewhere does not count on from the same number`() throws {
        let copy = try vault.snapshot()
        try vault.open().put(id, "here")
        try vault.restore(copy)
        try vault.removeAnchor()
        let there = try vault.open()
        #expect(try there.status().floor == 3)
        #expect(try there.put(id, "there") == 4)
    }

    @Test func `a copy from before the vault was moved is not accepted`() throws {
        var options = OpenOptions()
        options.acceptsRollback = true
        let moved = Position(epoch: 2, generation: 9)
        options.furtherAnchor = AnchorText(
            vaultID: ScratchVault.vaultID,
            position: moved,
            tag: [UInt8](0..<16)
        )
        let store = try vault.open(options)
        #expect(refusal { try store.acceptRollback() } == .rollback(found: Self.position(2), expected: moved))
        #expect(try store.status().floor == 0)
    }

    @Test func `a new vault needs no anchor to be new`() throws {
        let fresh = try ScratchVault()
        #expect(try fresh.create().noted.isEmpty)
        try fresh.removeAnchor()
        #expect(try fresh.open(OpenOptions(requireAnchor: true)).noted.isEmpty)
    }

    @Test(arguments: ["", "HSIP-ANCHOR-1", "x"])
    func `an anchor that is malformed counts as missing and is written again`(text: String) throws {
        let file = vault.paths.anchorFolder + "/anchor-" + ScratchVault.vaultID.map(Self.hex).joined()
        let good = try String(contentsOfFile: file, encoding: .utf8)
        for bad in [text, good + "y", good.uppercased(), good.replacingOccurrences(of: "a0", with: "a1")] {
            try Data(bad.utf8).write(to: URL(fileURLWithPath: file), options: [])
            #expect(try vault.open().noted == [.anchorMissing])
            let again = try String(contentsOfFile: file, encoding: .utf8)
            #expect(again.hasPrefix(good.prefix(57)) && again.utf8.count == good.utf8.count && again != good)
            #expect(try vault.open().noted.isEmpty)
        }
    }

    @Test func `the anchor only rises`() throws {
        let (first, second) = (try vault.open(), try vault.open())
        try first.put(id, "one")
        let file = vault.paths.anchorFolder + "/anchor-" + ScratchVault.vaultID.map(Self.hex).joined()
        let after = try String(contentsOfFile: file, encoding: .utf8)
        _ = try second.text(id)
        _ = try vault.open(OpenOptions(readOnly: true))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == after)
        #expect(after.contains(" 00000000000000000003 ") && after.utf8.count == 128)
    }

    @Test func `a lower anchor is not written over a higher one, a missing one is made`() throws {
        let path = vault.scratch.path + "/elsewhere/anchor"
        let anchor = Anchor(path: path, vaultID: ScratchVault.vaultID)
        #expect(try anchor.read() == nil)
        let texts = [3, 5, 4, 5].map { (generation: UInt64) in
            AnchorText(
                vaultID: ScratchVault.vaultID,
                position: Self.position(generation),
                tag: [UInt8](repeating: UInt8(generation), count: 16)
            )
        }
        for (text, expected) in zip(texts, [texts[0], texts[1], texts[1], texts[1]]) {
            try anchor.raise(to: text)
            #expect(try anchor.read() == expected)
        }
    }

    @Test func `a vault opened for reading writes neither vault nor anchor`() throws {
        try vault.removeAnchor()
        let store = try vault.open(OpenOptions(readOnly: true))
        #expect(try store.text(id) == "old")
        #expect(refusal { try store.put(id, "x") } == .readOnly)
        #expect(refusal { try store.removeSlot(1) } == .readOnly)
        #expect(
            refusal { try store.addSlot(ScratchVault.slot(), unlock: .recovery(ScratchVault.code())) }
                == .readOnly
        )
        #expect(!FileManager.default.fileExists(atPath: vault.paths.anchorFolder))
    }

    @Test func `an anchor that cannot be written does not undo a commit`() throws {
        let store = try vault.open()
        try vault.removeAnchor()
        try Data().write(to: URL(fileURLWithPath: vault.paths.anchorFolder))
        #expect(try store.put(id, "new") == 3)
        guard case .anchorNotWritten = store.noted.last else {
            Issue.record("the failure is noted")
            return
        }
        #expect(try store.text(id) == "new")
    }

    @Test func `of two copies that are open at once only the first that commits goes on`() throws {
        let store = try vault.open()
        let twin = VaultPaths(
            vault: vault.scratch.path + "/vault/twin.hsipvault",
            anchorFolder: vault.paths.anchorFolder
        )
        try vault.snapshot().write(to: URL(fileURLWithPath: twin.vault))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: twin.vault)
        let copy = try FileStore.open(
            at: twin,
            withVaultKey: SecretBytes(copying: ScratchVault.vaultKey),
            entropy: vault.entropy,
            now: { ScratchVault.now }
        )
        try store.put(id, "first")
        let expected = StoreError.rollback(found: Self.position(2), expected: Self.position(3))
        #expect(refusal { try copy.put(id, "second") } == expected)
        #expect(refusal { try copy.removeSlot(1) } == expected)
        #expect(try copy.text(id) == "old")
        #expect(try store.put(id, "third") == 4)
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
