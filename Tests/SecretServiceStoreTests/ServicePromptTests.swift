import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

@Suite struct ServicePromptTests {
    /// A keyring whose collection was locked after one item was made.
    private func locked(
        _ answer: ScratchKeyring.Answer?,
        _ patience: Patience = .person
    ) throws -> (desk: Desk, item: ItemPath) {
        let desk = try Desk(patience: patience)
        let item = try desk.create("s", ["a": "b"])
        if let answer { try desk.keyring.startPrompter(answer) }
        try desk.keyring.lock()
        return (desk, item)
    }

    @Test func `the password given at the prompt unlocks`() throws {
        let (desk, item) = try locked(.password("open sesame"))
        let chosen = try desk.service.collection(.standard, making: false)
        #expect(chosen == desk.collection)
        #expect(try desk.text(of: item) == "s")
        // And what is unlocked is unlocked again without a word.
        try desk.service.unlock([item, chosen.path])
    }

    @Test func `an item is unlocked with its collection`() throws {
        let (desk, item) = try locked(.password("open sesame"))
        try desk.service.unlock([item])
        #expect(try desk.service.find(["a": "b"]) == FoundItems(unlocked: [item]))
    }

    @Test(arguments: [ScratchKeyring.Answer.no, nil])
    func `a prompt that is closed, or that no one can show, is dismissed`(
        answer: ScratchKeyring.Answer?
    ) throws {
        let (desk, item) = try locked(answer)
        #expect(throws: StoreError.promptDismissed) { try desk.service.unlock([item]) }
        #expect(throws: StoreError.promptDismissed) {
            try desk.service.collection(.standard, making: false)
        }
        #expect(try desk.service.find(["a": "b"]) == FoundItems(locked: [item]))
    }

    @Test func `no one is asked who may not be asked`() throws {
        let (desk, item) = try locked(.password("open sesame"), .script)
        #expect(throws: StoreError.keyringLocked) { try desk.service.unlock([item]) }
        #expect(throws: StoreError.keyringLocked) { try desk.service.unlock([desk.collection.path]) }
        #expect(try desk.service.find(["a": "b"]) == FoundItems(locked: [item]))
    }

    @Test func `a prompt that no one answers ends with the patience for prompts`() throws {
        let short = Patience(call: .seconds(5), prompt: .seconds(6), mayAsk: true)
        let (desk, item) = try locked(.silence, short)
        #expect(throws: StoreError.keyringTimeout) { try desk.service.unlock([item]) }
        // The service is as good as before.
        #expect(try desk.service.find(["a": "b"]) == FoundItems(locked: [item]))
    }

    @Test func `anyone who waits for a prompt can be released`() throws {
        let (desk, item) = try locked(.silence)
        let outcome = Outcome { try desk.service.unlock([item]) }
        try desk.keyring.waitForPrompt()
        desk.service.cancel()
        #expect(outcome.error() == .cancelled)
        #expect(try desk.service.find(["a": "b"]) == FoundItems(locked: [item]))
    }

    @Test func `a service that dies behind its prompt has died, and no one said no`() throws {
        let (desk, item) = try locked(.silence)
        let outcome = Outcome { try desk.service.unlock([item]) }
        try desk.keyring.waitForPrompt()
        desk.keyring.killKeyring()
        #expect(outcome.error() == .keyringDied)
    }

    @Test func `a service that stops behind its prompt keeps no one`() throws {
        let (desk, item) = try locked(.silence)
        let outcome = Outcome { try desk.service.unlock([item]) }
        try desk.keyring.waitForPrompt()
        desk.keyring.stopKeyring()
        desk.service.cancel()
        #expect(outcome.error() == .cancelled)
        desk.keyring.resumeKeyring()
        #expect(try desk.service.find(["a": "b"]) == FoundItems(locked: [item]))
    }
}
