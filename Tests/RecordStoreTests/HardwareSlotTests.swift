import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// Slots of security keys, TPMs and key files.
@Suite struct HardwareSlotTests {
    private let vector: [String: Any]
    private let slots: [[String: Any]]
    private let vaultID: [UInt8]
    private let vaultKey: [UInt8]

    init() throws {
        vector = try #require(try StoreVectors.load("carried-slots.json") as? [String: Any])
        slots = try #require(vector["slots"] as? [[String: Any]])
        vaultID = try Self.bytes(vector["vault_id"])
        vaultKey = try Self.bytes(vector["vault_key"])
    }

    private static func bytes(_ field: Any?) throws -> [UInt8] {
        let text = try #require(field as? String)
        return try #require(Hex.decode(text))
    }

    private func row(_ index: Int) throws -> SlotRow {
        let row = try #require(slots[index]["row"] as? [String: Any])
        let number = try #require(row["n"] as? UInt32)
        let kind = try #require(row["kind"] as? UInt32)
        return SlotRow(
            number: number,
            kind: SlotKind(rawValue: kind),
            params: try Self.bytes(row["params"]),
            proof: try Self.bytes(row["proof"]),
            sealed: try Self.bytes(row["sealed"]),
            note: try Self.bytes(row["note"])
        )
    }

    private func device(_ index: Int) throws -> SlotDevice {
        let row = try row(index)
        let params = try #require(CarriedParams(row.params))
        return try #require(SlotDevice(params, row.kind))
    }

    /// S of a slot, from what its device gives.
    private func secret(_ index: Int) throws -> Secret {
        let slot = slots[index]
        let salt = try Self.bytes(slot["salt"])
        if let output = slot["output"] {
            return try HardwareSecret.securityKey(
                SecretBytes(copying: Self.bytes(output)),
                vaultID: vaultID,
                salt: salt
            )
        }
        let pin = try (slot["pin"] as? String).map { try StretchedPIN(Array($0.utf8), salt: salt) }
        let auth = pin?.auth.withBytes { $0.copied() } ?? []
        #expect(try auth == Self.bytes(slot["auth"]))
        return try HardwareSecret.tpm(
            SecretBytes(copying: Self.bytes(slot["sealed_in_tpm"])),
            pin: pin,
            vaultID: vaultID,
            salt: salt
        )
    }

    @Test(arguments: 1...4) func `the known answers open the vault`(index: Int) throws {
        let secret = try secret(index)
        #expect(try secret.withBytes { $0.copied() } == Self.bytes(slots[index]["S"]))
        let unlock: Unlock = index < 3 ? .securityKey(secret) : .tpm(secret)
        let rows = try Keyslots((0...4).map { try row($0) })
        let opened = try rows.unwrap(unlock, vaultID: vaultID, epoch: 1)
        #expect(opened.number == UInt32(index + 1) && opened.isCarried)
        #expect(opened.vaultKey.withBytes { $0.copied() } == vaultKey)
    }

    @Test func `the known answers show what their devices are`() throws {
        for index in 1...2 {
            guard case .securityKey(let params) = try device(index) else { throw Missing() }
            #expect(try params.credential == Self.bytes(slots[index]["credential"]))
            #expect(try params.salt == Self.bytes(slots[index]["hmac_salt"]))
            #expect(try params.model == Self.bytes(slots[index]["aaguid"]))
            #expect(params.isVerified == (index == 2))
        }
        for index in 3...4 {
            guard case .tpm(let params) = try device(index) else { throw Missing() }
            #expect(try params.parentName == Self.bytes(slots[index]["parent_name"]))
            #expect(params.registers == slots[index]["pcr_mask"] as? UInt32)
            #expect(params.hasPIN == (index == 4) && params.parent == .made)
        }
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: vaultKey))
        let list = try Keyslots((0...4).map { try row($0) }).list(keys)
        #expect(try list.map(\.device) == [nil] + (1...4).map { try device($0) })
    }

    private struct Missing: Error {}

    @Test(arguments: 1...4) func `a slot that is made comes out as it was, and opens`(index: Int) throws {
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: vaultKey))
        let secret = try secret(index)
        let new = NewSlot(
            try device(index),
            salt: try Self.bytes(slots[index]["salt"]),
            secret: secret,
            label: "x"
        )
        let made = try Keyslots.make(
            new,
            number: 9,
            vaultKey: SecretBytes(copying: vaultKey),
            keys: keys,
            vaultID: vaultID,
            epoch: 1,
            time: 5,
            entropy: .seeded([4])
        )
        let known = try row(index)
        #expect(
            made.kind == known.kind && made.proof == known.proof && made.params.count == known.params.count
        )
        #expect(made.params[..<18] == known.params[..<18] && made.params[90...] == known.params[90...])
        let opened = try Keyslots([made]).unwrap(new.unlock, vaultID: vaultID, epoch: 1)
        #expect(opened.vaultKey.withBytes { $0.copied() } == vaultKey)
        let wrong = try Secret(SecretBytes(count: 32))
        #expect(throws: StoreError.wrongSecret) {
            _ = try Keyslots([made]).unwrap(
                index < 3 ? .securityKey(wrong) : .tpm(wrong),
                vaultID: vaultID,
                epoch: 1
            )
        }
    }

    @Test(arguments: 1...4) func `no parameters of another form are taken, and none with a byte changed open`(
        index: Int
    ) throws {
        let known = try row(index)
        let secret = try secret(index)
        func open(_ params: [UInt8]) throws {
            let changed = SlotRow(
                number: known.number,
                kind: known.kind,
                params: params,
                proof: known.proof,
                sealed: known.sealed,
                note: known.note
            )
            _ = try Keyslots([changed]).unwrap(
                index < 3 ? .securityKey(secret) : .tpm(secret),
                vaultID: vaultID,
                epoch: 1
            )
        }
        try open(known.params)
        #expect(throws: StoreError.tampered(.slots)) { try open(known.params + [0]) }
        for count in 1..<known.params.count {
            #expect(throws: StoreError.tampered(.slots)) { try open(Array(known.params[..<count])) }
        }
        var flagged = known.params
        flagged[1] |= 4
        #expect(throws: StoreError.tampered(.slots)) { try open(flagged) }
        for place in 1..<known.params.count {
            var params = known.params
            params[place] ^= 0x01
            #expect(throws: StoreError.self) { try open(params) }
        }
    }

    @Test func `a PIN of another size is refused before any work`() {
        let salt = [UInt8](repeating: 1, count: 16)
        for size in [0, 3, 129] {
            #expect(throws: StoreError.invalidRecord(.slot)) {
                _ = try StretchedPIN([UInt8](repeating: 0x31, count: size), salt: salt)
            }
        }
    }

    @Test func `a slot of hardware is not made of its secret alone`() throws {
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: vaultKey))
        #expect(throws: StoreError.invalidRecord(.slot)) {
            _ = try Keyslots.make(
                NewSlot(.tpm(Secret(SecretBytes(count: 32)))),
                number: 1,
                vaultKey: SecretBytes(copying: vaultKey),
                keys: keys,
                vaultID: vaultID,
                epoch: 1,
                time: 5,
                entropy: .system
            )
        }
    }

    @Test func `a key file opens its slot, and its text is read as it is written`() throws {
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: vaultKey))
        let content = (0..<32).map { UInt8(truncatingIfNeeded: $0 &* 89) }
        let secret = try Secret(copying: content)
        let made = try Keyslots.make(
            NewSlot(.keyFile(secret)),
            number: 1,
            vaultKey: SecretBytes(copying: vaultKey),
            keys: keys,
            vaultID: vaultID,
            epoch: 1,
            time: 5,
            entropy: .seeded([4])
        )
        #expect(
            made.kind.rawValue == 3 && !made.kind.isPortable && !made.isCarried && made.params.count == 16
        )
        let text = try KeyFile.text(of: secret).withBytes { $0.copied() }
        #expect(String(decoding: text, as: UTF8.self) == "HSIP-KEYFILE-1 \(Hex.encode(content))\n")
        let read = try KeyFile.read(text)
        let opened = try Keyslots([made]).unwrap(.keyFile(read), vaultID: vaultID, epoch: 1)
        #expect(opened.vaultKey.withBytes { $0.copied() } == vaultKey)
        #expect(try ConstantTime.equal(KeyFile.read(Array(text.dropLast())), secret))
        for place in text.indices {
            for byte in [0x00, 0x2F, 0x3A, 0x40, 0x47, 0x60, 0x67, 0x20, 0xFF] as [UInt8]
            where text[place] != byte {
                var changed = text
                changed[place] = byte
                #expect(throws: StoreError.mistyped) { _ = try KeyFile.read(changed) }
            }
        }
        #expect(throws: StoreError.mistyped) { _ = try KeyFile.read(text + [0x0A]) }
    }
}
