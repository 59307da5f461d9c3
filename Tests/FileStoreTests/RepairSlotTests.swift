import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import FileStore

/// Key slots of a damaged vault: one that was removed does not come back unasked.
@Suite struct RepairSlotTests {
    private let vault: ScratchVault

    init() throws {
        vault = try ScratchVault()
    }

    private func begin(_ path: String) throws -> Repairing {
        try Repairing.begin(
            path,
            into: nil,
            with: [],
            anchorFolder: vault.paths.anchorFolder,
            known: [],
            entropy: .system,
            now: { ScratchVault.now }
        )
    }

    private static func code(_ number: UInt8) throws -> NewSlot {
        NewSlot(
            .recovery(try Secret(copying: [UInt8](repeating: number, count: 16))),
            label: "paper \(number)"
        )
    }

    /// The proof of a slot, by which its row is found in every image of its page.
    private func proof(_ number: UInt32) throws -> [UInt8] {
        try Connection(vault.paths.vault, .queryOnly).read { rows throws(StoreError) in
            try rows.slots().rows.first { $0.number == number }?.proof ?? []
        }
    }

    @Test func `where a slot is damaged a removed one is named, and taken only when all are asked for`()
        throws
    {
        let store = try vault.create()
        let damaged = try store.addSlot(Self.code(1), unlock: .recovery(ScratchVault.code()))
        let removed = try store.addSlot(Self.code(2), unlock: .recovery(ScratchVault.code()))
        let mark = try proof(damaged)
        let before = try vault.snapshot()
        try store.removeSlot(removed)
        // What an image of a disk may have behind a file: pages that it had.
        var bytes = [UInt8](try vault.snapshot() + before)
        while let range = bytes.firstRange(of: mark) { bytes[range.lowerBound] ^= 1 }
        let copy = vault.scratch.path + "/damaged"
        try Data(bytes).write(to: URL(fileURLWithPath: copy))
        withExtendedLifetime(store) {}
        let repairing = try begin(copy)
        let opened = try repairing.open(.recovery(ScratchVault.code()))
        #expect(opened.slotCount == 1)
        #expect(opened.foundSlots.map(\.label) == ["paper", "paper 2"])
        #expect(opened.foundSlots.map(\.isTaken) == [true, false])
        let report = try repairing.look(opened, takesMissing: false, isCompared: { _ in true })
        #expect(!report.isComplete && !report.areSlotsVouched)
        let all = try repairing.open(.recovery(ScratchVault.code()), takesAllSlots: true)
        #expect(all.slotCount == 2 && all.foundSlots.allSatisfy(\.isTaken))
    }

    @Test func `made-up slots and heads in front of a vault do not hide it, and it is told`() throws {
        _ = try vault.create()
        var bytes: [UInt8] = []
        for number in 0..<300 {
            bytes += Self.slot(UInt16(number))
            if number < 100 { bytes += Self.head(UInt8(number)) }
        }
        bytes += [UInt8](repeating: 0, count: 4_096 - bytes.count % 4_096)
        bytes += try vault.snapshot()
        let path = vault.scratch.path + "/made-up"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let repairing = try begin(path)
        #expect(repairing.slotKinds.count { $0 == SlotKind(rawValue: 99) } == 256)
        #expect(repairing.isCutShort)
        let opened = try repairing.open(.recovery(ScratchVault.code()))
        #expect(opened.vault.id == ScratchVault.vaultID)
        let report = try repairing.look(opened, takesMissing: false, isCompared: { _ in true })
        #expect(report.isComplete && report.isCutShort)
    }

    @Test(arguments: [false, true])
    func `of two key epochs of a vault the newest that opens is repaired`(isNewestFirst: Bool) throws {
        let store = try vault.create()
        try store.addSlot(Self.code(1), unlock: .recovery(ScratchVault.code()))
        try store.put(RecordID("note", "n"), "old")
        let before = try vault.snapshot()
        let later = VaultPaths(vault: vault.scratch.path + "/later", anchorFolder: vault.scratch.path + "/l")
        let codes = [try Self.code(1), try Self.code(2)]
        try store.read { reader throws(StoreError) in
            _ = try FileStore.create(
                at: later,
                vaultID: ScratchVault.vaultID,
                adopting: reader,
                position: Position(epoch: 2, generation: reader.generation + 1),
                slots: codes,
                entropy: .system,
                now: { ScratchVault.now }
            )
        }
        let after = try Data(contentsOf: URL(fileURLWithPath: later.vault))
        let path = vault.scratch.path + "/both"
        try (isNewestFirst ? after + before : before + after).write(to: URL(fileURLWithPath: path))
        // A code of both of them, as the carried ones of a vault whose key was changed.
        let opened = try begin(path).open(.recovery(Secret(copying: [UInt8](repeating: 1, count: 16))))
        #expect(opened.vault.epoch == 2 && opened.slotCount == 2)
        // The code of before opens what was before.
        #expect(try begin(path).open(.recovery(ScratchVault.code())).vault.epoch == 1)
    }

    /// The row of a slot of a kind that there is not: its length, its number, its header, its columns.
    private static func slot(_ number: UInt16) -> [UInt8] {
        let count = UInt8(8 + 1 + 32 + 72 + 4)
        let number = [0x80 | UInt8(1 + number >> 7), UInt8(number & 0x7F)]
        let header: [UInt8] = [8, 0, 1, 0x0C, 0x4C, 0x81, 0x1C, 0x14]
        return [count] + number + header + [99] + [UInt8](repeating: 7, count: 32 + 72 + 4)
    }

    /// The head of another vault, of a later key epoch.
    private static func head(_ id: UInt8) -> [UInt8] {
        let sealed = [UInt8](repeating: 9, count: 2_145)
        return [6, 0, 0x2C, 1, 0xA1, 0x4E] + [UInt8](repeating: id, count: 16) + [7] + sealed
    }
}
