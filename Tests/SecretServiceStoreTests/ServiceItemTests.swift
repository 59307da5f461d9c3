import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

@Suite struct ServiceItemTests {
    @Test func `what is made is found, read, replaced and removed`() throws {
        let keyring = try ScratchKeyring()
        let service = try SecretService.connect(environment: keyring.environment, patience: .script)
        let collection = try service.collection(.standard, making: false)
        #expect(collection.label == "Login")
        #expect(collection.isDefault && !collection.isLocked)
        let attributes = ["xdg:schema": "io.hsip.vault.Record", "name": "one"]
        let draft = ItemDraft(
            label: "One",
            attributes: attributes,
            secret: try Secret(copying: Array("s3cret".utf8))
        )
        let path = try service.create(draft, in: collection.path)
        #expect(try service.find(attributes) == FoundItems(unlocked: [path]))
        #expect(try keyring.run(["secret-tool", "lookup", "name", "one"]) == "s3cret")
        try service.setSecret(try Secret(copying: Array("other".utf8)), of: path)
        var read: [String] = []
        try service.eachSecret(of: [path]) { _, bytes in
            read.append(String(decoding: bytes.copied(), as: UTF8.self))
        }
        #expect(read == ["other"])
        let facts = try #require(try service.facts(of: [path]).first)
        #expect(facts.label == "One")
        #expect(facts.attributes == attributes)
        try service.delete(path)
        try service.delete(path)
        #expect(try service.find(attributes) == FoundItems())
    }
}
