import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// `secret-tool` of libsecret knows nothing of us.
@Suite struct ServiceToolTests {
    @Test(arguments: ["hunter2", "zwölf Boxkämpfer", "two\nlines\n", "🔑"])
    func `secret-tool prints what we store`(text: String) throws {
        let desk = try Desk()
        let attributes = ["xdg:schema": "io.hsip.vault.Record", "kind": "password", "name": "é/1"]
        let path = try desk.create(text, attributes, label: "Mail")
        #expect(try desk.keyring.run(["secret-tool", "lookup", "kind", "password", "name", "é/1"]) == text)
        try desk.service.setSecret(try desk.secret(text + text), of: path)
        #expect(try desk.keyring.run(["secret-tool", "lookup", "name", "é/1"]) == text + text)
        let found = try desk.keyring.run(["secret-tool", "search", "--all", "kind", "password"])
        #expect(found.contains("label = Mail"))
        try desk.service.delete(path)
        try desk.keyring.run(["secret-tool", "lookup", "name", "é/1"], status: 1)
    }

    @Test func `we read and replace what secret-tool stores`() throws {
        let desk = try Desk()
        let command = ["secret-tool", "store", "--label=Größe", "service", "mail", "user", "ich"]
        try desk.keyring.run(command, input: "geheim")
        let found = try desk.service.find(["service": "mail"])
        let path = try #require(found.unlocked.first)
        #expect(found == FoundItems(unlocked: [path]))
        #expect(try desk.text(of: path) == "geheim")
        let facts = try #require(try desk.service.facts(of: [path]).first)
        #expect(facts.label == "Größe")
        #expect(facts.attributes["service"] == "mail" && facts.attributes["user"] == "ich")
        try desk.service.setSecret(try desk.secret("anders"), of: path)
        #expect(try desk.keyring.run(["secret-tool", "lookup", "user", "ich"]) == "anders")
        try desk.keyring.run(["secret-tool", "clear", "user", "ich"])
        #expect(try desk.service.find(["service": "mail"]) == FoundItems())
    }
}
