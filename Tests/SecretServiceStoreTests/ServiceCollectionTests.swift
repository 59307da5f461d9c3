import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

@Suite struct ServiceCollectionTests {
    @Test func `the default collection comes first, and the one of the session not at all`() throws {
        let keyring = try ScratchKeyring(foreign: 1)
        let service = try SecretService.connect(environment: keyring.environment, patience: .script)
        let all = try service.collections()
        #expect(all.map(\.label) == ["Desk", "Login"])
        #expect(all.map(\.isDefault) == [true, false])
        #expect(all.last?.isLocked == false)
        #expect(throws: StoreError.noSuchCollection) {
            try service.collection(.named("session"), making: false)
        }
    }

    @Test(arguments: ["Login", "login"])
    func `a collection is chosen by its label or by the end of its path`(name: String) throws {
        let keyring = try ScratchKeyring(foreign: 1)
        let service = try SecretService.connect(environment: keyring.environment, patience: .script)
        let chosen = try service.collection(.named(name), making: false)
        #expect(chosen.path == "/org/freedesktop/secrets/collection/login")
        #expect(chosen.label == "Login" && !chosen.isDefault && !chosen.isLocked)
    }

    @Test(arguments: [Patience.script, .person], [false, true])
    func `a missing collection is an error, unless it may be made and someone can be asked`(
        patience: Patience,
        making: Bool
    ) throws {
        let keyring = try ScratchKeyring()
        try keyring.startPrompter(.password("new"))
        let service = try SecretService.connect(environment: keyring.environment, patience: patience)
        let choose = { () throws(StoreError) in try service.collection(.named("Größe/HSIP"), making: making) }
        if making && patience.mayAsk {
            let made = try choose()
            #expect(made.label == "Größe/HSIP" && !made.isLocked && !made.isDefault)
            #expect(try choose() == made)
            #expect(try service.collections().count == 2)
        } else {
            #expect(throws: StoreError.noSuchCollection) { try choose() }
            #expect(try service.collections().map(\.label) == ["Login"])
        }
    }

    @Test func `a keyring that was never used has no default collection`() throws {
        let keyring = try ScratchKeyring(hasKeyring: false)
        try keyring.startKeyring(unlocked: false)
        let service = try SecretService.connect(environment: keyring.environment, patience: .person)
        #expect(try service.collections().isEmpty)
        #expect(throws: StoreError.noSuchCollection) { try service.collection(.standard, making: true) }
    }

    @Test func `a making that is dismissed makes nothing`() throws {
        let keyring = try ScratchKeyring()
        try keyring.startPrompter(.no)
        let service = try SecretService.connect(environment: keyring.environment, patience: .person)
        #expect(throws: StoreError.promptDismissed) {
            try service.collection(.named("HSIP"), making: true)
        }
        #expect(try service.collections().map(\.label) == ["Login"])
    }

    @Test func `of a locked collection only what needs no password is answered`() throws {
        let desk = try Desk()
        let path = try desk.create("s", ["a": "b"], label: "L")
        try desk.keyring.lock()
        let service = desk.service
        #expect(try service.collections().map(\.isLocked) == [true])
        #expect(try service.find(["a": "b"]) == FoundItems(locked: [path]))
        #expect(try desk.texts(of: [path]).isEmpty)
        let acts: [() throws -> Void] = [
            { _ = try service.collection(.standard, making: false) },
            { try service.unlock([path]) },
            { try service.unlock([desk.collection.path]) },
            { _ = try desk.create("t", ["a": "b"]) },
            { try service.setSecret(desk.secret("t"), of: path) },
            { try service.describe(path, label: "x", attributes: ["c": "d"]) },
            { try service.delete(path) },
        ]
        for act in acts { #expect(throws: StoreError.keyringLocked) { try act() } }
    }
}
