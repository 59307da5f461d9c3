import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// Damaged files of vaults whose key was changed: what was before is never called the whole vault.
@Suite struct RepairRekeyTests {
    private let vault: ScratchVault
    private let store: FileStore
    private let first: Unlock
    private let dropped: Unlock

    init() throws {
        vault = try ScratchVault()
        store = try vault.create()
        first = .recovery(try ScratchVault.code())
        dropped = .recovery(try Secret(copying: Array(repeating: 9, count: 16)))
        try store.addSlot(NewSlot(dropped, label: "dropped"), unlock: first)
        for number in 0..<20 { try store.put(RecordID("note", "n\(number)"), "old") }
    }

    /// The file with the earlier vault, and its log with the present one.
    private func split() throws -> (file: Data, log: Data) {
        _ = try vault.snapshot()
        let reader = try vault.open(OpenOptions(readOnly: true))
        let (path, store) = (vault.paths.vault, store)
        var file = Data()
        var log = Data()
        var failure: StoreError?
        try reader.read { view throws(StoreError) in
            // A view of before keeps the log from being moved into the file.
            _ = try view.list(nil)
            failure = refusal {
                _ = try store.rekey(store.prepareRekey([.carried(1)]))
                try store.put(RecordID("note", "n0"), "new")
                file = try Data(contentsOf: URL(fileURLWithPath: path))
                log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            }
        }
        #expect(failure == nil)
        return (file, log)
    }

    /// What a repair of these bytes finds by a secret.
    private func look(
        _ file: Data,
        _ log: Data?,
        by unlock: Unlock,
        anchors: String? = nil
    ) throws -> (epoch: UInt32, report: SalvageReport) {
        let damaged = vault.scratch.path + "/damaged-\(UInt64.random(in: .min ... .max))"
        try file.write(to: URL(fileURLWithPath: damaged))
        if let log { try log.write(to: URL(fileURLWithPath: damaged + "-wal")) }
        let repairing = try Repairing.begin(
            damaged,
            into: nil,
            with: [],
            anchorFolder: anchors ?? vault.scratch.path + "/no-anchor",
            known: [],
            entropy: .system,
            now: { ScratchVault.now }
        )
        let opened = try repairing.open(unlock)
        let report = try repairing.look(opened, takesMissing: false) { _ in false }
        return (opened.vault.epoch, report)
    }

    @Test func `the earlier slots in the file, the present ones in the log: the present vault is repaired`()
        throws
    {
        let (file, log) = try split()
        let found = try look(file, log, by: first)
        #expect(found.epoch == 2 && found.report.kept == 20)
        #expect(found.report.isComplete && found.report.laterEpoch == nil)
    }

    @Test func `a secret that opens only the vault of before finds that one, and it is not whole`() throws {
        let (file, log) = try split()
        let found = try look(file, log, by: dropped)
        #expect(found.epoch == 1 && found.report.kept == 20)
        #expect(found.report.laterEpoch == 2 && !found.report.isComplete)
    }

    @Test func `false slots of one kind do not hide those of another`() throws {
        let file = try vault.snapshot()
        let fake = vault.scratch.path + "/fake"
        try file.write(to: URL(fileURLWithPath: fake))
        do {
            let database = try Database(fake)
            for table in ["slot", "head", "record"] { try database.run("DELETE FROM \(table)") }
            for number in 1...700 as ClosedRange<Int64> {
                let params = [UInt8](repeating: 7, count: 25)
                var proof = [UInt8](repeating: 0, count: 32)
                proof[0] = UInt8(number >> 8)
                proof[1] = UInt8(number & 0xFF)
                try database.run(
                    "INSERT INTO slot(n, kind, params, proof, sealed, note) VALUES(?, 1, ?, ?, ?, ?)",
                    [
                        .number(number), .blob(params), .blob(proof),
                        .blob([UInt8](repeating: 1, count: 72)), .blob([UInt8](repeating: 2, count: 60)),
                    ]
                )
            }
            _ = try database.number("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let both = try Data(contentsOf: URL(fileURLWithPath: fake)) + file
        let found = try look(both, nil, by: first)
        #expect(found.epoch == 1 && found.report.kept == 20 && found.report.areSlotsVouched)
    }

    @Test func `a file of before is not whole where this machine has seen the new key`() throws {
        let (file, _) = try split()
        let found = try look(file, nil, by: first)
        #expect(found.epoch == 1 && found.report.isComplete)
        let seen = try look(file, nil, by: first, anchors: vault.paths.anchorFolder)
        #expect(seen.epoch == 1 && seen.report.kept == 20)
        #expect(seen.report.laterEpoch == 2 && !seen.report.isComplete)
    }
}
