import FileStore
import Foundation
import RecordStore
import Support
import Synchronization
import Testing
import VaultCrypto

/// Every field of the known answers: this program writes, byte for byte, what an independent one wrote.
@Suite struct VaultFileVectorTests {
    private let vector: [String: Any]

    init() throws {
        #expect(try StoreVectors.names(prefix: "vault-file") == ["vault-file.json"])
        vector = try #require(try StoreVectors.load("vault-file.json") as? [String: Any])
    }

    @Test func `no field of the known answers is left unread`() {
        #expect(
            Set(vector.keys) == [
                "format", "random", "now_ms", "schema", "passphrase", "vault_id", "vault_key", "subkeys",
                "pad", "after_create", "meta_plain", "id_login_github", "id_note_cafe_nfc", "after_two_puts",
                "recovery_bytes", "recovery_text", "after_all", "file_after_all",
            ]
        )
        #expect(vector["format"] as? Int == Int(HeadRow.format))
    }

    @Test func `the subkeys of the vault key come out`() throws {
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: bytes("vault_key")))
        let expected = try #require(vector["subkeys"] as? [String: String])
        #expect(expected.count == keys.named.count)
        for (name, key) in keys.named {
            #expect(Hex.encode(key.withBytes { $0.copied() }) == expected[name], "\(name)")
        }
    }

    @Test func `lengths fall into their size classes`() throws {
        let expected = try #require(vector["pad"] as? [String: Int])
        for (count, padded) in expected {
            #expect(Padding.paddedCount(try #require(Int(count))) == padded, "\(count)")
        }
    }

    @Test func `names become ids`() throws {
        let codec = try RecordCodec(keys: VaultKeys(vaultKey: SecretBytes(copying: bytes("vault_key"))))
        let github = try codec.rowID(of: RecordID("login", "github"))
        let cafe = try codec.rowID(of: RecordID("note", NameRules.normalized("cafe\u{301}")))
        #expect(Hex.encode(github.bytes) == vector["id_login_github"] as? String)
        #expect(Hex.encode(cafe.bytes) == vector["id_note_cafe_nfc"] as? String)
    }

    @Test func `the recovery code is written and read`() throws {
        let code = try bytes("recovery_bytes")
        let text = try #require(vector["recovery_text"] as? String)
        #expect(try RecoveryText.encode(code).withBytes { $0.copied() } == Array(text.utf8))
        #expect(try RecoveryText.decode(Array(text.utf8)).withBytes { $0.copied() } == code)
    }

    @Test func `the same acts write the same rows`() throws {
        let vault = try ScratchVault()
        let passphrase = try #require(vector["passphrase"] as? String)
        let unlock = Unlock.passphrase(try Secret(copying: Array(passphrase.utf8)))
        let time = try #require(vector["now_ms"] as? UInt64)
        let store = try FileStore.create(
            at: vault.paths,
            slots: [NewSlot(unlock, label: "passphrase", parameters: PasswordHash.floor)],
            entropy: Self.dictated(),
            now: { time }
        )
        #expect(store.vaultID == (try bytes("vault_id")))
        try vault.raw { database in
            var schema: [String?] = []
            try database.statement("SELECT sql FROM sqlite_schema ORDER BY sql").each {
                schema.append($0.text(0))
            }
            #expect(schema == vector["schema"] as? [String])
            try expect(database, "after_create")
        }

        let github = try RecordID("login", "github")
        let cafe = try RecordID("note", "café")
        try write(store, github, Array("hunter2".utf8), 0, "GitHub", ["user": "me", "host": "github.com"])
        try write(store, cafe, (0...255).map { UInt8($0) }, 0)
        try vault.raw { try expect($0, "after_two_puts") }
        try expectMeta(vault, github)
        try expectLanes(vault)

        try store.addSlot(
            NewSlot(plainRecovery: Secret(copying: bytes("recovery_bytes")), label: "paper"),
            unlock: unlock
        )
        try write(store, github, Array("hunter3".utf8), 2)
        try store.commit(ChangeSet(floor: 0, changes: [.delete(cafe, expecting: 3)]))
        try vault.raw { try expect($0, "after_all") }
        let all = try #require(vector["after_all"] as? [String: Any])
        #expect(try store.status().position.generation == all["generation"] as? UInt64)
        let anchor = try String(
            contentsOfFile: "\(vault.paths.anchorFolder)/anchor-\(Hex.encode(store.vaultID))",
            encoding: .utf8
        )
        #expect(anchor == all["anchor"] as? String)
        #expect(try store.text(github) == "hunter3")
        #expect(try store.verify().records == 1)
    }

    /// random(i) of the file: the first bytes of BLAKE2b-512 under a fixed key.
    ///
    /// i = 1, 2, … counts the requests. The six
    /// bytes of a temporary name are not among them.
    private static func dictated() -> Entropy {
        let requests = Mutex<UInt64>(0)
        return Entropy { count in
            guard count != 6 else { return [1, 2, 3, 4, 5, 6] }
            let number = requests.withLock { number in
                number += 1
                return number
            }
            let message = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            let key = Array("HSIP-VAULT vectors".utf8)
            return Array((try? KeyedHash.blake2b(message, key: key, count: 64))?.prefix(count) ?? [])
        }
    }

    private func write(
        _ store: FileStore,
        _ id: RecordID,
        _ body: [UInt8],
        _ revision: Revision,
        _ label: String = "",
        _ attributes: [String: String] = [:]
    ) throws {
        var changes = ChangeSet(floor: 0)
        changes.put(
            RecordDraft(
                id: id,
                label: label,
                attributes: try Attributes(attributes),
                body: try Secret(copying: body)
            ),
            expecting: revision
        )
        try store.commit(changes)
    }

    /// Compares the rows of every table that a stage of the vector tells.
    private func expect(_ database: Database, _ stage: String) throws {
        let tables = try #require(vector[stage] as? [String: Any])
        for (name, order) in [("head", "k"), ("slot", "n"), ("record", "id")] {
            guard let expected = tables[name] as? [[Any]] else { continue }
            let rows = try database.rows("SELECT * FROM \(name) ORDER BY \(order)")
            #expect(
                rows.map { $0.values.map(text) } == expected.map { $0.map { "\($0)" } },
                "\(stage) \(name)"
            )
        }
    }

    private func text(_ value: Statement.Value) -> String {
        switch value {
        case .blob(let bytes): Hex.encode(bytes)
        case .number(let number): "\(number)"
        case .text: "?"
        }
    }

    private func expectMeta(_ vault: ScratchVault, _ id: RecordID) throws {
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: bytes("vault_key")))
        let row = try #require(
            try vault.raw {
                try $0.rows(
                    "SELECT * FROM record WHERE id = ?",
                    [.blob(RecordCodec(keys: keys).rowID(of: id).bytes)]
                ).first
            }
        )
        let seal = row["seal"]
        let plain = try XChaCha20Poly1305.open(
            row["meta"],
            tag: seal[24..<40],
            key: keys.named[1].key,
            nonce: seal[..<24],
            authenticating: Array("HSIP-VAULT/1 meta\0".utf8) + row["id"]
        )
        let expected = try bytes("meta_plain")
        #expect(plain.withBytes { $0.copied() }[4..<4 + expected.count] == expected[...])
    }

    private func expectLanes(_ vault: ScratchVault) throws {
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: bytes("vault_key")))
        let row = try #require(try vault.raw { try $0.rows("SELECT * FROM head").first })
        let head = try HeadRow(
            vaultID: row["vault_id"],
            epoch: 1,
            sealed: row["sealed"]
        ).open(keys)
        let stage = try #require(vector["after_two_puts"] as? [String: Any])
        let expected = try #require(stage["nonzero_lanes"] as? [String: String])
        let zero = String(repeating: "0", count: 32)
        for (lane, sum) in head.sums.enumerated() {
            #expect(Hex.encode(sum.bytes) == expected["\(lane)"] ?? zero, "\(lane)")
        }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        let text = try #require(vector[name] as? String)
        return try #require(Hex.decode(text))
    }
}
