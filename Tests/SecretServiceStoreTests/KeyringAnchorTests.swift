import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import Testing
import VaultCrypto

/// The second memory of a vault file's newest head.
@Suite struct KeyringAnchorTests {
    private let service = StoreFakeService()
    private let vaultID = [UInt8](0..<16)

    private func text(_ generation: UInt64, epoch: UInt32 = 1) -> AnchorText {
        AnchorText(
            vaultID: vaultID,
            position: Position(epoch: epoch, generation: generation),
            tag: [UInt8](repeating: UInt8(truncatingIfNeeded: generation), count: 16)
        )
    }

    private func raise(_ text: AnchorText) throws {
        try KeyringAnchor.raise(to: text, name: "vault", in: StoreFakeService.collection, service)
    }

    private func plant(_ secret: String) {
        service.plant(["xdg:schema": "io.hsip.vault.Anchor", "vault": Hex.encode(vaultID)], secret)
    }

    @Test func `it only rises, and stays one item`() throws {
        #expect(try KeyringAnchor.read(vaultID, in: service) == nil)
        for (raised, found) in [(5, 5), (9, 9), (7, 9), (9, 9), (10, 10)] as [(UInt64, UInt64)] {
            try raise(text(raised))
            #expect(try KeyringAnchor.read(vaultID, in: service) == text(found))
        }
        try raise(text(1, epoch: 2))
        #expect(try KeyringAnchor.read(vaultID, in: service) == text(1, epoch: 2))
        #expect(service.items.count == 1)
    }

    @Test func `of several the highest counts, and the others go`() throws {
        for generation in [4, 8, 6] as [UInt64] {
            plant(String(decoding: text(generation).encoded, as: UTF8.self))
        }
        #expect(try KeyringAnchor.read(vaultID, in: service) == text(8))
        try raise(text(7))
        #expect(try KeyringAnchor.read(vaultID, in: service) == text(8))
        #expect(service.items.count == 1)
    }

    @Test(arguments: ["", "HSIP-ANCHOR-1", String(repeating: "9", count: 128)])
    func `what is no anchor counts as none, and its item is used again`(_ secret: String) throws {
        plant(secret)
        #expect(try KeyringAnchor.read(vaultID, in: service) == nil)
        try raise(text(3))
        #expect(try KeyringAnchor.read(vaultID, in: service) == text(3))
        #expect(service.items.count == 1)
    }

    @Test func `one of another vault says nothing`() throws {
        let foreign = AnchorText(
            vaultID: [UInt8](repeating: 9, count: 16),
            position: Position(epoch: 1, generation: 99),
            tag: [UInt8](repeating: 1, count: 16)
        )
        plant(String(decoding: foreign.encoded, as: UTF8.self))
        #expect(try KeyringAnchor.read(vaultID, in: service) == nil)
    }

    @Test func `it goes with the last slot`() throws {
        try raise(text(3))
        try KeyringAnchor.remove(vaultID, service)
        #expect(service.items.isEmpty)
    }

    @Test func `a vault is known to be there by its name, with every owner`() throws {
        let known = [UInt8](repeating: 1, count: 16)
        let schema = "io.hsip.vault.Header"
        #expect(try !KeyringVault.exists(named: "vault", besides: [], in: service))
        service.plant(["xdg:schema": schema, "vault": Hex.encode(known), "name": "vault"], "x")
        #expect(try KeyringVault.exists(named: "vault", besides: [], in: service))
        #expect(try KeyringVault.exists(named: "vault", besides: [vaultID], in: service))
        #expect(try !KeyringVault.exists(named: "vault", besides: [vaultID, known], in: service))
        #expect(try !KeyringVault.exists(named: "other", besides: [], in: service))
        service.plant(["xdg:schema": schema, "vault": Hex.encode(vaultID), "name": "vault"], "x")
        #expect(try KeyringVault.exists(named: "vault", besides: [known], in: service))
    }
}
