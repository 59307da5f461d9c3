import FileStore
import Foundation
import RecordStore
import VaultCrypto

/// A vault with a few records, and an attacker's hands on its file.
final class AttackedVault {
    let vault: ScratchVault
    let ids: [RecordID]
    private let keys: VaultKeys

    /// Twelve records, in twelve lanes of their own, and no one who has the vault open.
    init() throws {
        vault = try ScratchVault()
        keys = try VaultKeys(vaultKey: SecretBytes(copying: ScratchVault.vaultKey))
        let codec = try RecordCodec(keys: keys)
        var lanes: Set<Int> = []
        var ids: [RecordID] = []
        for number in 0..<40 where ids.count < 12 {
            let id = try RecordID("login", "site-\(number)")
            if lanes.insert(try codec.rowID(of: id).lane).inserted { ids.append(id) }
        }
        self.ids = ids
        let store = try vault.create()
        for id in ids { try store.put(id, "secret of \(id)") }
    }

    func rowID(_ id: RecordID) throws -> RowID {
        try RecordCodec(keys: keys).rowID(of: id)
    }

    func lane(_ id: RecordID) throws -> TamperedPart {
        .recordSet(lane: try rowID(id).lane)
    }

    /// What is told of a record that is damaged.
    func damaged(_ id: RecordID, _ part: DamagedRecord.Part) throws -> TamperedPart {
        .record(DamagedRecord(id, lane: try rowID(id).lane, part: part))
    }

    /// The row of a record as it is in the file.
    func row(_ id: RecordID) throws -> StoredRow? {
        try vault.raw {
            try $0.rows("SELECT * FROM record WHERE id = ?", [.blob(rowID(id).bytes)]).first
        }
    }

    /// Runs SQL as an attacker does, with blobs for its `?`.
    func edit(_ sql: String, _ blobs: [UInt8]...) throws {
        // Several statements have no values.
        try vault.raw { database in
            if blobs.isEmpty {
                try database.execute(sql)
            } else {
                try database.run(sql, blobs.map { .blob($0) })
            }
        }
    }

    /// Puts a row into the file, over whatever is there.
    func plant(_ row: StoredRow, under id: RowID) throws {
        try edit(
            "INSERT OR REPLACE INTO record VALUES(?, ?, ?, ?)",
            id.bytes,
            row["seal"],
            row["meta"],
            row["body"]
        )
    }

    /// Opens the vault and asks for one record.
    func find(_ id: RecordID) -> Result<String?, StoreError> {
        outcome { try vault.open().text(id) }
    }
}
