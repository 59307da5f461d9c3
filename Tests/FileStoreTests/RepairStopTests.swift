import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// A repair that someone wants to end takes back what it began.
@Suite struct RepairStopTests {
    private let vault: ScratchVault
    private let store: FileStore
    private var folder: String { vault.scratch.path + "/saved" }

    init() throws {
        vault = try ScratchVault()
        store = try vault.create()
        try store.put(RecordID("note", "n"), "text")
        _ = try vault.snapshot()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// What lies where the new vault goes.
    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }

    /// Repairs, and is told to end when it has asked so many times.
    private func repair(endsAfter most: Int) throws {
        var asked = 0
        let isStopped = {
            asked += 1
            return asked > most
        }
        let repairing = try Repairing.begin(
            vault.paths.vault,
            into: folder + "/new",
            with: [],
            anchorFolder: vault.paths.anchorFolder,
            known: [],
            isStopped: isStopped,
            entropy: .system,
            now: { ScratchVault.now }
        )
        let opened = try repairing.open(.recovery(ScratchVault.code()), isStopped: isStopped)
        _ = try repairing.write(opened, takesMissing: false, isStopped: isStopped, isCompared: { _ in false })
    }

    @Test func `wherever it ends there is no new vault, and nothing else is left`() throws {
        let damaged = try Data(contentsOf: URL(fileURLWithPath: vault.paths.vault))
        var stops = 0
        while true {
            do {
                try repair(endsAfter: stops)
                break
            } catch StoreError.cancelled {
                #expect(try names() == [])
                stops += 1
            }
        }
        // While it copies, while it searches, at a slot, in each lane, and before the new vault gets its name.
        #expect(stops > HeadContent.laneCount + 5)
        #expect(try names() == ["new"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: vault.paths.vault)) == damaged)
        withExtendedLifetime(store) {}
    }
}
