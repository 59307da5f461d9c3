import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// The redo: what it holds is finished, what nobody can read is refused.
@Suite struct StoreRedoTests {
    private static func redo() throws -> Redo {
        let info = RecordInfo(
            id: try RecordID("n", "é"),
            revision: 7,
            uid: Array(repeating: 1, count: 16),
            created: 1,
            modified: 2,
            expires: 3,
            label: "L",
            attributes: try Attributes(["a": "b"]),
            predatesRestore: false
        )
        return Redo(
            generation: 7,
            steps: [
                .put(info, try Secret(copying: Array("body".utf8))), .delete(try RecordID("password", "x")),
            ]
        )
    }

    private static func bytes(_ redo: Redo) throws -> [UInt8] { try redo.text().withBytes { $0.copied() } }

    @Test func `it comes back as it was written`() throws {
        let redo = try Self.redo()
        let read = try #require(
            try Self.bytes(redo).withBytes { text throws(StoreError) in try Redo.read(text) }
        )
        #expect(read.generation == 7 && read.steps.map(\.id) == redo.steps.map(\.id))
        guard case .put(let info, let body) = read.steps[0], case .put(let wanted, _) = redo.steps[0] else {
            Issue.record("not a put")
            return
        }
        #expect(info == wanted && body.withBytes { $0.copied() } == Array("body".utf8))
    }

    @Test func `every other text is refused, and none is too much`() throws {
        let text = try Self.bytes(Self.redo())
        let prefix = "hsip-redo:1 7 "
        let changes = try #require(StrictBase64.decode(Array(text.dropFirst(prefix.utf8.count))))
        var texts: [[UInt8]] = (1..<text.count).map { Array(text.prefix($0)) }
        texts += ["hsip-redo:1 ", "hsip-redo:1 idle ", "hsip-redo:1 07 AAAAAA==", "hsip-redo: 7 AAAA"].map {
            Array($0.utf8)
        }
        for cut in 0..<changes.count {
            texts.append(StrictBase64.encodedBytes(Array(changes.prefix(cut)), after: Array(prefix.utf8)))
        }
        texts.append(StrictBase64.encodedBytes(changes + [0], after: Array(prefix.utf8)))
        // A count that no memory would hold.
        texts.append(StrictBase64.encodedBytes([255, 255, 255, 255], after: Array(prefix.utf8)))
        texts.append(
            StrictBase64.encodedBytes([0, 0, 0, 1, 1, 255, 255, 255, 255], after: Array(prefix.utf8))
        )
        for text in texts {
            #expect(throws: StoreError.tampered(.head), "\(String(decoding: text, as: UTF8.self))") {
                try text.withBytes { text throws(StoreError) in try Redo.read(text) }
            }
        }
        #expect(throws: StoreError.newerFormat(found: 2, supported: 1)) {
            try Array("hsip-redo:2 7 x".utf8).withBytes { text throws(StoreError) in try Redo.read(text) }
        }
        #expect(try Redo.idle.withBytes { text throws(StoreError) in try Redo.read(text) } == nil)
    }

    @Test func `one changed byte is refused, or another change set`() throws {
        let text = try Self.bytes(Self.redo())
        let changes = try #require(StrictBase64.decode(Array(text.dropFirst("hsip-redo:1 7 ".utf8.count))))
        for index in changes.indices {
            for value: UInt8 in [0, 1, 2, 127, 255] {
                var changed = changes
                changed[index] = value
                let text = StrictBase64.encodedBytes(changed, after: Array("hsip-redo:1 7 ".utf8))
                do throws(StoreError) {
                    let redo = try text.withBytes { text throws(StoreError) in try Redo.read(text) }
                    #expect(redo?.steps.count == 2)
                } catch {
                    #expect(error == .tampered(.head) || error == .newerRecord)
                }
            }
        }
    }

    @Test func `a redo that nobody can read stops the vault until it is taken as it is`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(RecordID("n", "a"), "x")
        let path = try #require(vault.items("Redo").first).path
        vault.service.tamper { $0[path]?.secret = Array("hsip-redo:1 1025 nonsense".utf8) }
        #expect(try store.text(RecordID("n", "a")) == "x")
        try vault.logOut()
        #expect(throws: StoreError.tampered(.head)) { try vault.open(store.vaultID) }
        var options = OpenOptions()
        options.acceptsRollback = true
        try vault.open(store.vaultID, options).acceptRollback()
        #expect(try vault.open(store.vaultID).text(RecordID("n", "a")) == "x")
    }

    @Test func `a lost redo is made again, a second one is refused`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        let redo = try #require(vault.items("Redo").first)
        vault.service.tamper { $0[redo.path] = nil }
        var changes = ChangeSet(floor: 0)
        for name in ["a", "b"] {
            changes.put(
                RecordDraft(id: try RecordID("n", name), body: try Secret(copying: [1])),
                expecting: 0
            )
        }
        try store.commit(changes)
        #expect(vault.items("Redo").count == 1)
        vault.service.tamper { $0[redo.path] = redo.item }
        try vault.logOut()
        #expect(throws: StoreError.tampered(.head)) { try vault.open(store.vaultID) }
    }

    @Test func `a change set that waits is finished before another one, whoever comes`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        var changes = ChangeSet(floor: 0)
        for name in ["a", "b"] {
            changes.put(
                RecordDraft(id: try RecordID("n", name), body: try Secret(copying: [0x31])),
                expecting: 0
            )
        }
        // Two searches, the redo found and read, written and read back: the next call is the first record's.
        vault.service.fail(.init(call: 7, point: .before, forGood: true))
        #expect(throws: StoreError.commitUnknown) { try store.commit(changes) }
        vault.service.fail(nil)
        #expect(vault.items("Record").isEmpty)
        // A reader that may not write sees it carried out.
        let reader = try vault.open(store.vaultID, OpenOptions(readOnly: true))
        #expect(try reader.text(RecordID("n", "a")) == "1")
        #expect(try reader.read { r throws(StoreError) in try r.info(RecordID("n", "b")) }?.revision == 2)
        #expect(try reader.read { r throws(StoreError) in try r.list(RecordKind("n")) }.count == 2)
        #expect(try reader.read { r throws(StoreError) in try r.list(RecordKind("m")) }.isEmpty)
        #expect(vault.items("Record").isEmpty)
        #expect(try store.text(RecordID("n", "a")) == "1")
        #expect(try reader.text(RecordID("n", "b")) == "1")
        #expect(vault.items("Record").count == 2)
    }
}
