import RecordStore
import Testing
import VaultCrypto

/// The rules of the slots, without a database.
@Suite struct KeyslotTests {
    private let vaultKey = [UInt8](repeating: 1, count: 32)
    private let vaultID = [UInt8](repeating: 3, count: 16)
    private let entropy = Entropy.seeded([2])

    private func unlock(_ byte: UInt8) throws -> Unlock {
        .recovery(try Secret(copying: [UInt8](repeating: byte, count: 16)))
    }

    private func make(_ number: UInt32, _ byte: UInt8) throws -> SlotRow {
        let key = try SecretBytes(copying: vaultKey)
        return try Keyslots.make(
            NewSlot(unlock(byte), label: "é"),
            number: number,
            vaultKey: key,
            keys: VaultKeys(vaultKey: key),
            vaultID: vaultID,
            epoch: 1,
            time: 9,
            entropy: entropy
        )
    }

    private func bare(_ number: UInt32, _ kind: UInt32) -> SlotRow {
        SlotRow(number: number, kind: SlotKind(rawValue: kind), params: [], proof: [], sealed: [], note: [])
    }

    @Test func `a secret opens its own slot and gives the vault key`() throws {
        let slots = try Keyslots([make(1, 5), make(2, 6)])
        for (byte, number) in [(5, 1), (6, 2)] as [(UInt8, UInt32)] {
            let opened = try slots.unwrap(unlock(byte), vaultID: vaultID, epoch: 1)
            #expect(opened.number == number)
            #expect(opened.vaultKey.withBytes { $0.copied() } == vaultKey)
        }
        expect(.wrongSecret) { _ = try slots.unwrap(unlock(7), vaultID: vaultID, epoch: 1) }
        expect(.wrongSecret) {
            _ = try slots.unwrap(unlock(5), vaultID: [UInt8](repeating: 4, count: 16), epoch: 1)
        }
        expect(.tampered(.slots)) { _ = try slots.unwrap(unlock(5), vaultID: vaultID, epoch: 2) }
        expect(.noSuchSlot) {
            _ = try slots.unwrap(.passphrase(Secret(copying: [1])), vaultID: vaultID, epoch: 1)
        }
    }

    @Test func `a slot moved to another number does not open`() throws {
        let row = try make(1, 5)
        let moved = SlotRow(
            number: 2,
            kind: row.kind,
            params: row.params,
            proof: row.proof,
            sealed: row.sealed,
            note: row.note
        )
        expect(.tampered(.slots)) {
            _ = try Keyslots([moved]).unwrap(unlock(5), vaultID: vaultID, epoch: 1)
        }
    }

    @Test func `slots are sixteen at most, four of a kind, and in order`() throws {
        let full = (1...16).map { bare(UInt32($0), UInt32(20 + $0 / 4)) }
        #expect(try Keyslots(full).rows.count == 16)
        expect(.slotLimit) { _ = try Keyslots(full).adding(bare(17, 99)) }
        expect(.tampered(.slots)) { _ = try Keyslots(full + [bare(17, 99)]) }
        expect(.tampered(.slots)) { _ = try Keyslots((1...5).map { bare($0, 7) }) }
        expect(.tampered(.slots)) { _ = try Keyslots([bare(2, 1), bare(1, 2)]) }
        expect(.tampered(.slots)) { _ = try Keyslots([bare(1, 1), bare(1, 2)]) }
        expect(.tampered(.slots)) { _ = try Keyslots([bare(0, 1)]) }
    }

    @Test func `the last portable slot stays, unless another takes its place`() throws {
        let slots = try Keyslots([bare(1, 2), bare(2, 4), bare(3, 17)])
        expect(.lastSlot) { _ = try slots.removing(1) }
        #expect(try slots.removing(2).rows.map(\.number) == [1, 3])
        expect(.lastSlot) { _ = try slots.replacing(1, with: bare(4, 17)) }
        #expect(try slots.replacing(1, with: bare(4, 1)).rows.map(\.number) == [2, 3, 4])
        expect(.noSuchSlot) { _ = try slots.replacing(9, with: bare(4, 1)) }
        expect(.noSuchSlot) { _ = try slots.removing(9) }
    }

    @Test func `in whichever order slots go, a passphrase or a code is left`() throws {
        // 21 is of a newer program.
        let kinds: [UInt32] = [1, 3, 4, 17, 20, 21]
        let all = try Keyslots(kinds.enumerated().map { bare(UInt32($0 + 1), $1) })
        var ends: [UInt32] = []
        func remove(_ slots: Keyslots, _ rest: [UInt32]) throws {
            if rest.isEmpty { ends += slots.rows.map(\.kind.rawValue) }
            for number in rest {
                var left = slots
                do throws(StoreError) { left = try slots.removing(number) } catch {
                    #expect(error == .lastSlot)
                }
                try remove(left, rest.filter { $0 != number })
            }
        }
        try remove(all, all.rows.map(\.number))
        // Of each of the 720 orders one slot is left: of the two that count, the one that came last.
        #expect(ends.count == 720 && ends.count { $0 == 1 } == 360 && ends.count { $0 == 20 } == 360)
    }

    @Test func `the digest covers every field of every slot`() throws {
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: vaultKey))
        let row = try make(1, 5)
        let base = try Keyslots([row]).digest(keys)
        func changed(
            _ number: UInt32? = nil,
            kind: UInt32? = nil,
            params: [UInt8]? = nil,
            proof: [UInt8]? = nil,
            sealed: [UInt8]? = nil,
            note: [UInt8]? = nil
        ) -> SlotRow {
            SlotRow(
                number: number ?? row.number,
                kind: kind.map { SlotKind(rawValue: $0) } ?? row.kind,
                params: params ?? row.params,
                proof: proof ?? row.proof,
                sealed: sealed ?? row.sealed,
                note: note ?? row.note
            )
        }
        for other in [
            changed(2), changed(kind: 3), changed(params: row.params + [0]), changed(proof: [1]),
            changed(sealed: []), changed(note: row.note.dropLast()),
            changed(sealed: row.sealed + row.note.prefix(1), note: Array(row.note.dropFirst())),
        ] {
            #expect(try Keyslots([other]).digest(keys) != base)
        }
        #expect(try Keyslots([]).digest(keys) != base)
    }

    @Test func `label and time are read back, and only with the key`() throws {
        let slots = try Keyslots([make(1, 5)])
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: vaultKey))
        let info = try #require(try slots.list(keys).first)
        #expect(info.label == "é" && info.created == 9 && info.kind == .recovery && info.parameters == nil)
        let others = try VaultKeys(vaultKey: SecretBytes(copying: [UInt8](repeating: 2, count: 32)))
        expect(.tampered(.slots)) { _ = try slots.list(others) }
    }

    private func expect(_ error: StoreError, _ body: () throws -> Void) {
        #expect(throws: error, performing: body)
    }
}
