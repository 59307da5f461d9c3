import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// Slots whose secret is elsewhere go on opening the vault after its key was changed.
@Suite struct CarriedSlotTests {
    /// One case of the known answers, which an independent program made and a second one read.
    private struct Case {
        let name: String
        let row: SlotRow
        let after: SlotRow
        let stretched: SecretBytesBox
        let publicKey: [UInt8]
        let key: [UInt8]
        let secret: [UInt8]?
        let salt: [UInt8]
    }

    /// Bytes that a case holds; tests copy them into locked memory where they are used.
    private struct SecretBytesBox {
        let bytes: [UInt8]
        func open() throws -> SecretBytes { try SecretBytes(copying: bytes) }
    }

    private let vector: [String: Any]
    private let vaultID: [UInt8]
    private let vaultKey: [UInt8]
    private let nextKey: [UInt8]
    private let epoch: UInt32
    private let cases: [Case]

    init() throws {
        let vector = try #require(try StoreVectors.load("carried-slots.json") as? [String: Any])
        self.vector = vector
        vaultID = try Self.bytes(vector["vault_id"])
        vaultKey = try Self.bytes(vector["vault_key"])
        nextKey = try Self.bytes(vector["next_vault_key"])
        epoch = try #require(vector["key_epoch"] as? UInt32)
        let after = try #require(vector["after_rekey"] as? [String: Any])
        let next = try Self.rows(after["rows"])
        #expect(after["key_epoch"] as? UInt32 == epoch + 1)
        var cases: [Case] = []
        let slots = try #require(vector["slots"] as? [[String: Any]])
        for (slot, next) in zip(slots, next) {
            let row = try #require(try Self.rows([slot["row"] as Any]).first)
            cases.append(
                Case(
                    name: try #require(slot["name"] as? String),
                    row: row,
                    after: next,
                    stretched: SecretBytesBox(bytes: try Self.bytes(slot["S"])),
                    publicKey: try Self.bytes(slot["pk"]),
                    key: try Self.bytes(slot["kek"]),
                    secret: try slot["secret"].map { try Self.bytes($0) },
                    salt: try Self.bytes(slot["salt"])
                )
            )
        }
        self.cases = cases
    }

    private static func bytes(_ field: Any?) throws -> [UInt8] {
        let text = try #require(field as? String)
        return try #require(Hex.decode(text))
    }

    private static func rows(_ field: Any?) throws -> [SlotRow] {
        let rows = try #require(field as? [[String: Any]])
        return try rows.map { row in
            SlotRow(
                number: try #require(row["n"] as? UInt32),
                kind: SlotKind(rawValue: try #require(row["kind"] as? UInt32)),
                params: try bytes(row["params"]),
                proof: try bytes(row["proof"]),
                sealed: try bytes(row["sealed"]),
                note: try bytes(row["note"])
            )
        }
    }

    private func code(of found: Case) throws -> Unlock {
        .recovery(try Secret(copying: try #require(found.secret)))
    }

    private func keys(_ key: [UInt8]) throws -> VaultKeys {
        try VaultKeys(vaultKey: SecretBytes(copying: key))
    }

    @Test func `the known answers come out: proof, public key, wrapping key, digest, notes`() throws {
        #expect(cases.map(\.row.kind.rawValue) == [20, 17, 17, 16, 16])
        for found in cases {
            let stretched = try found.stretched.open()
            #expect(
                try Keyslots.proof(stretched).withBytes { $0.copied() } == found.row.proof,
                "\(found.name)"
            )
            let publicKey = try CarriedWrap.publicKey(of: stretched)
            #expect(publicKey.withBytes { $0.copied() } == found.publicKey, "\(found.name)")
            let point = Array(found.row.sealed[..<32])
            let key = try CarriedWrap(vaultID: vaultID, epoch: epoch)
                .openingKey(stretched, point, publicKey)
            #expect(key.withBytes { $0.copied() } == found.key, "\(found.name)")
            #expect(found.row.isCarried && Array(found.row.params[2..<18]) == found.salt)
        }
        let slots = try Keyslots(cases.map(\.row))
        #expect(try slots.digest(keys(vaultKey)) == Self.bytes(vector["slot_digest"]))
        let entries = try #require(vector["slots"] as? [[String: Any]])
        let labels = entries.map { $0["label"] as? String }
        let list = try slots.list(keys(vaultKey))
        #expect(
            list.map { $0.label } == labels && list.allSatisfy { $0.created == vector["now_ms"] as? UInt64 }
        )
        let after = try #require(vector["after_rekey"] as? [String: Any])
        let next = try Keyslots(cases.map(\.after))
        #expect(try next.digest(keys(nextKey)) == Self.bytes(after["slot_digest"]))
        #expect(try next.list(keys(nextKey)).map { $0.label } == labels)
    }

    @Test func `the code of the known answers opens both vault keys`() throws {
        let found = try #require(cases.first)
        let code = try code(of: found)
        for (rows, epoch, key) in [
            (cases.map(\.row), epoch, vaultKey), (cases.map(\.after), epoch + 1, nextKey),
        ] {
            let opened = try Keyslots(rows).unwrap(code, vaultID: vaultID, epoch: epoch)
            #expect(opened.number == 1 && opened.vaultKey.withBytes { $0.copied() } == key)
        }
    }

    @Test func `every kind is carried to a new key without its secret`() throws {
        for found in cases {
            let carried = try #require(
                try Keyslots.carry(
                    found.row,
                    from: keys(vaultKey),
                    to: SecretBytes(copying: nextKey),
                    keys(nextKey),
                    vaultID: vaultID,
                    epoch: epoch + 1,
                    entropy: .seeded([3])
                )
            )
            #expect(carried.number == found.row.number && carried.kind == found.row.kind)
            #expect(carried.proof == found.row.proof && carried.sealed.count == 104)
            #expect(carried.params.count == found.row.params.count)
            #expect(Array(carried.params[..<18]) == Array(found.row.params[..<18]))
            #expect(Array(carried.params[90...]) == Array(found.row.params[90...]))
            #expect(carried.params != found.row.params && carried.sealed != found.row.sealed)
            #expect(try Keyslots([carried]).list(keys(nextKey)).count == 1)
            let params = try #require(CarriedParams(carried.params))
            let wrap = CarriedWrap(vaultID: vaultID, epoch: epoch + 1)
            let opened = try wrap.open(carried, params, found.stretched.open())
            #expect(opened.withBytes { $0.copied() } == nextKey, "\(found.name)")
            expect(.tampered(.slots)) {
                _ = try CarriedWrap(vaultID: vaultID, epoch: epoch).open(
                    carried,
                    params,
                    found.stretched.open()
                )
            }
        }
    }

    @Test func `a slot that was carried is carried again`() throws {
        let found = try #require(cases.first)
        var row = found.after
        var key = nextKey
        for round in 2...4 as ClosedRange<UInt32> {
            let next = [UInt8](repeating: UInt8(round), count: 32)
            row = try #require(
                try Keyslots.carry(
                    row,
                    from: keys(key),
                    to: SecretBytes(copying: next),
                    keys(next),
                    vaultID: vaultID,
                    epoch: epoch + round,
                    entropy: .system
                )
            )
            key = next
            let code = try code(of: found)
            let opened = try Keyslots([row]).unwrap(code, vaultID: vaultID, epoch: epoch + round)
            #expect(opened.vaultKey.withBytes { $0.copied() } == next)
        }
    }

    @Test func `a carry that was put there by someone else is noticed when the owner opens the slot`() throws
    {
        let (honest, thief) = (try #require(cases.first), cases[1])
        // With the vault key one can seal a public key of one's own for this row, and wrap to the one that was there.
        let wrap = CarriedWrap(vaultID: vaultID, epoch: epoch)
        let own = try wrap.carry(
            SecretBytes(copying: thief.publicKey),
            honest.row,
            keys(vaultKey),
            .seeded([1])
        )
        let params = try #require(CarriedParams(honest.row.params)).carrying(own).encoded
        func row(_ sealed: [UInt8]) -> SlotRow {
            SlotRow(
                number: honest.row.number,
                kind: honest.row.kind,
                params: params,
                proof: honest.row.proof,
                sealed: sealed,
                note: honest.row.note
            )
        }
        let sealed = try wrap.seal(
            SecretBytes(copying: vaultKey),
            to: SecretBytes(copying: honest.publicKey),
            row([]),
            .seeded([2])
        )
        let planted = row(sealed)
        let code = try code(of: honest)
        expect(.tampered(.slots)) {
            _ = try Keyslots([planted]).unwrap(code, vaultID: vaultID, epoch: epoch)
        }
        // Carried over, it opens for the thief and not for the owner: that is what a fresh rekey is for.
        let carried = try #require(
            try Keyslots.carry(
                planted,
                from: keys(vaultKey),
                to: SecretBytes(copying: nextKey),
                keys(nextKey),
                vaultID: vaultID,
                epoch: epoch + 1,
                entropy: .seeded([3])
            )
        )
        expect(.tampered(.slots)) {
            _ = try Keyslots([carried]).unwrap(code, vaultID: vaultID, epoch: epoch + 1)
        }
    }

    @Test func `a changed byte anywhere in the slot is noticed`() throws {
        let found = try #require(cases.first)
        let code = try code(of: found)
        func refused(_ change: (inout [UInt8], inout [UInt8]) -> Void) throws -> StoreError? {
            var (params, sealed) = (found.row.params, found.row.sealed)
            change(&params, &sealed)
            let row = SlotRow(
                number: 1,
                kind: .recovery,
                params: params,
                proof: found.row.proof,
                sealed: sealed,
                note: found.row.note
            )
            do throws(StoreError) {
                _ = try Keyslots([row]).unwrap(code, vaultID: vaultID, epoch: epoch)
                return nil
            } catch {
                return error
            }
        }
        #expect(try refused { _, _ in } == nil)
        for index in found.row.params.indices {
            // Another version is not tried, and another salt is another secret; everything else belongs to the right one
            // and does not authenticate.
            let isOther = index == 0 || (2..<18).contains(index)
            let expected: StoreError = isOther ? .wrongSecret : .tampered(.slots)
            #expect(try refused { params, _ in params[index] ^= 1 } == expected, "\(index)")
        }
        // X25519 leaves the topmost bit of a point aside; the wrapping key does not.
        for index in found.row.sealed.indices {
            #expect(try refused { _, sealed in sealed[index] ^= 0x80 } == .tampered(.slots), "\(index)")
        }
        #expect(
            try refused { _, sealed in sealed.replaceSubrange(..<32, with: Array(repeating: 0, count: 32)) }
                == .tampered(.slots)
        )
        for count in [0, 31, 32, 71, 103] {
            #expect(try refused { _, sealed in sealed = Array(sealed.prefix(count)) } == .tampered(.slots))
        }
        #expect(try refused { params, _ in params.removeLast() } == .tampered(.slots))
        #expect(try refused { params, _ in params.append(0) } == .tampered(.slots))
        #expect(try refused { params, _ in params = [] } == .tampered(.slots))
    }

    @Test func `a slot of a newer version is passed over as one of an unknown kind is`() throws {
        let found = try #require(cases.first)
        let newer = SlotRow(
            number: 1,
            kind: .recovery,
            params: [2, 9],
            proof: found.row.proof,
            sealed: [],
            note: found.row.note
        )
        let code = try code(of: found)
        expect(.wrongSecret) {
            _ = try Keyslots([newer]).unwrap(code, vaultID: vaultID, epoch: epoch)
        }
        let own = try Keyslots.make(
            NewSlot(code),
            number: 2,
            vaultKey: SecretBytes(copying: vaultKey),
            keys: keys(vaultKey),
            vaultID: vaultID,
            epoch: epoch,
            time: 0,
            entropy: .seeded([5])
        )
        let opened = try Keyslots([newer, own]).unwrap(code, vaultID: vaultID, epoch: epoch)
        #expect(opened.number == 2)
        #expect(!newer.isCarried && newer.kind.isPortable)
    }

    private func expect(_ error: StoreError, _ body: () throws -> Void) {
        #expect(throws: error, performing: body)
    }
}
