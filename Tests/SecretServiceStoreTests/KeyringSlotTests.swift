import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// The secret of a vault file's key slot, in the keyring.
@Suite struct KeyringSlotTests {
    private let service = StoreFakeService()
    private let vaultID = [UInt8](0..<16)
    private let other = [UInt8](16..<32)

    private func make(_ number: UInt32 = 3, seed: UInt8 = 1) throws -> KeyringSlot {
        try KeyringSlot.make(
            for: vaultID,
            number: number,
            name: "vault",
            in: StoreFakeService.collection,
            service,
            entropy: .seeded([seed])
        )
    }

    private func secret(_ slot: KeyringSlot) -> [UInt8] {
        guard case .secretService(let secret) = slot.unlock else { return [] }
        return secret.withBytes { $0.copied() }
    }

    @Test func `the item is found again, with the same 32 bytes`() throws {
        let made = try make()
        let found = try KeyringSlot.find(vaultID, in: service)
        #expect(found.slots.map(\.item) == [made.item])
        #expect(found.slots.map { secret($0) } == [secret(made)])
        #expect(secret(made).count == 32)
        #expect(found.locked == 0 && found.damaged == 0)
        #expect(made.collection == StoreFakeService.collection)
        #expect(try KeyringSlot.find(other, in: service).slots.isEmpty)
    }

    @Test func `the item says what the page says, and nothing more`() throws {
        let made = try make(7)
        let item = try #require(service.items[made.item])
        #expect(
            item.attributes == [
                "xdg:schema": "io.hsip.vault.Slot", "vault": "000102030405060708090a0b0c0d0e0f", "slot": "7",
            ]
        )
        let digits = Set(Array("0123456789abcdef".utf8))
        #expect(item.secret.count == 64 && item.secret.allSatisfy { digits.contains($0) })
    }

    @Test(arguments: [
        "", "0", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "0", count: 63) + "g", "/" + String(repeating: "0", count: 63),
        String(repeating: "0", count: 63) + ":", "`" + String(repeating: "a", count: 63),
        String(repeating: "é", count: 32),
    ]) func `what is no secret of a slot is counted and not used`(_ text: String) throws {
        service.plant(["xdg:schema": "io.hsip.vault.Slot", "vault": Hex.encode(vaultID)], text)
        let found = try KeyringSlot.find(vaultID, in: service)
        #expect(found.slots.isEmpty && found.damaged == 1)
    }

    @Test func `capitals are digits as well`() throws {
        let digits = String(repeating: "0aF9", count: 16)
        service.plant(["xdg:schema": "io.hsip.vault.Slot", "vault": Hex.encode(vaultID)], digits)
        let found = try #require(try KeyringSlot.find(vaultID, in: service).slots.first)
        #expect(secret(found) == Hex.decode(digits))
    }

    @Test func `every byte comes back out of its two digits`() throws {
        for start in stride(from: 0, to: 256, by: 32) {
            let bytes = (start..<start + 32).map { UInt8($0) }
            let text = try HexSecret.encode(bytes)
            #expect(text.withBytes { $0.copied() } == Array(Hex.encode(bytes).utf8))
            let again = try text.withBytes { span throws(StoreError) in try HexSecret.decode(span) }
            #expect(again?.withBytes { $0.copied() } == bytes)
        }
    }

    @Test func `one slot goes, the others stay`() throws {
        _ = try make(3)
        let stays = try make(4, seed: 2)
        #expect(try KeyringSlot.remove(number: 3, of: vaultID, service) == 1)
        #expect(try KeyringSlot.find(vaultID, in: service).slots.map(\.item) == [stays.item])
        #expect(try KeyringSlot.remove(number: 3, of: vaultID, service) == 0)
        try stays.renumber(to: 9, of: vaultID, name: "vault", service)
        #expect(try KeyringSlot.remove(number: 9, of: vaultID, service) == 1)
        #expect(service.items.isEmpty)
    }

    @Test func `an item that was not finished is not passed off as one`() throws {
        service.fail(.init(call: 1, point: .torn))
        #expect(throws: StoreError.keyringDied) { try make() }
        service.fail(nil)
        #expect(try KeyringSlot.find(vaultID, in: service).slots.isEmpty)
    }
}
