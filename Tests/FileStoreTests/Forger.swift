import FileStore
import Foundation
import RecordStore
import Testing
import VaultCrypto

/// Someone with the vault key, who writes what this program does not: a newer program, for one.
struct Forger {
    private let vault: ScratchVault
    private let keys: VaultKeys

    init(_ vault: ScratchVault) throws {
        self.vault = vault
        keys = try VaultKeys(vaultKey: SecretBytes(copying: ScratchVault.vaultKey))
    }

    /// Adds a slot that says nothing to this program.
    func addSlot(kind: UInt32, label: String) throws {
        let row = try Keyslots.make(
            NewSlot(.recovery(Secret(copying: Array(repeating: 7, count: 16))), label: label),
            number: 2,
            vaultKey: SecretBytes(copying: ScratchVault.vaultKey),
            keys: keys,
            vaultID: ScratchVault.vaultID,
            epoch: 1,
            time: 1,
            entropy: vault.entropy
        )
        let slot = SlotRow(
            number: row.number,
            kind: SlotKind(rawValue: kind),
            params: [],
            proof: row.proof,
            sealed: row.sealed,
            note: row.note
        )
        try vault.raw { database in
            try database.run(
                "INSERT INTO slot VALUES(?, ?, ?, ?, ?, ?)",
                [
                    .number(2), .number(Int64(kind)), .blob([]), .blob(slot.proof), .blob(slot.sealed),
                    .blob(slot.note),
                ]
            )
        }
        let present = try FileStoreRows.slots(vault)
        try reseal { bytes in
            bytes.replaceSubrange(25..<57, with: try Keyslots(present).digest(keys))
        }
    }

    /// Adds a record whose meta content is given to the byte; the body is empty.
    func addRecord(_ id: RecordID, meta content: [UInt8], revision: Revision) throws {
        var codec = try RecordCodec(keys: keys)
        let rowID = try codec.rowID(of: id)
        var packed: [UInt8] = [0, 0, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
        packed += Array(repeating: 0, count: Padding.packedCount(content.count) - packed.count)
        let meta = try seal(packed, 1, "meta", rowID.bytes)
        let number = (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * $0)) }
        let body = try seal(Array(repeating: 0, count: 128), 2, "body", rowID.bytes + number)
        let row = SealedRow(
            id: rowID,
            seal: meta.opening + body.opening,
            meta: meta.bytes,
            body: body.bytes
        )
        try vault.raw { database in
            try database.run(
                "INSERT INTO record VALUES(?, ?, ?, ?)",
                [.blob(row.id.bytes), .blob(row.seal), .blob(row.meta), .blob(row.body)]
            )
        }
        let element = try #require(try codec.element(of: row)).bytes
        try reseal { bytes in
            bytes[16] += 1
            for (index, byte) in element.enumerated() { bytes[57 + rowID.lane * 16 + index] ^= byte }
        }
    }

    /// Writes a head that counts one record more than there is.
    func miscount() throws {
        try reseal { $0[16] += 1 }
    }

    private func seal(
        _ plain: [UInt8],
        _ key: Int,
        _ label: String,
        _ data: [UInt8]
    ) throws -> (opening: [UInt8], bytes: [UInt8]) {
        let nonce = vault.entropy.bytes(24)
        let box = try XChaCha20Poly1305.seal(
            plain,
            key: keys.named[key].key,
            nonce: nonce,
            authenticating: Array("HSIP-VAULT/1 \(label)\0".utf8) + data
        )
        return (nonce + box.tag, box.ciphertext)
    }

    /// Opens the head, lets the bytes be changed, and seals them with the next generation.
    private func reseal(_ change: (inout [UInt8]) throws -> Void) throws {
        let sealed = try #require(try vault.raw { try $0.blob("SELECT sealed FROM head") })
        let row = try HeadRow(vaultID: ScratchVault.vaultID, epoch: 1, sealed: sealed)
        var bytes = try row.open(keys).encoded
        bytes[8] += 1
        try change(&bytes)
        let content = try #require(bytes.withBytes { HeadContent($0) })
        let fresh = try HeadRow(
            content,
            vaultID: ScratchVault.vaultID,
            epoch: 1,
            keys: keys,
            entropy: vault.entropy
        )
        try vault.raw { try $0.run("UPDATE head SET sealed = ?", [.blob(fresh.sealed)]) }
    }
}

/// The slots of a vault file as rows.
enum FileStoreRows {
    static func slots(_ vault: ScratchVault) throws -> [SlotRow] {
        try vault.raw { database in
            try database.rows("SELECT * FROM slot ORDER BY n").map { row in
                SlotRow(
                    number: row.number("n"),
                    kind: SlotKind(rawValue: row.number("kind")),
                    params: row["params"],
                    proof: row["proof"],
                    sealed: row["sealed"],
                    note: row["note"]
                )
            }
        }
    }
}
