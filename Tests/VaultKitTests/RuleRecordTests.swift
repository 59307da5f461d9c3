import RecordStore
import Support
import Testing
import VaultCrypto
import VaultKit
import VaultPolicy

/// The rules of the policy as the vault keeps them.
struct RuleRecordTests {
    private func rule(_ name: String) -> Rule {
        var rule = Rule(name: name, effect: .allow)
        rule.kind = .login
        rule.subject = "work"
        rule.program = "/usr/bin/ssh"
        rule.host = "db1.example.org"
        rule.namespace = "git"
        rule.expires = 1_900_000_000
        return rule
    }

    @Test(arguments: Backend.allCases) func `a rule comes back as it was made`(backend: Backend) async throws
    {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        let bare = Rule(name: "bare", effect: .deny)
        try await alice.vault.addRule(rule("full"))
        try await alice.secondProcess().addRule(bare)
        #expect(try await alice.vault.rules() == [bare, rule("full")])
        #expect(try await alice.vault.removeRule("full") == rule("full"))
        #expect(try await alice.vault.rules() == [bare])
    }

    @Test func `what cannot be kept is refused`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        try await alice.vault.addRule(rule("a"))
        await #expect(throws: VaultError.rule(.nameTaken)) { try await alice.vault.addRule(rule("a")) }
        await #expect(throws: VaultError.rule(.unknown)) { _ = try await alice.vault.removeRule("b") }
        await #expect(throws: VaultError.rule(.bad(.allowsEverything))) {
            try await alice.vault.addRule(Rule(name: "all", effect: .allow))
        }
    }

    @Test(arguments: [
        ["effect": "shrug"], ["effect": "deny", "weekday": "monday"], ["effect": "deny", "kind": "x"], [:],
        ["effect": "deny", "expires": "soon"],
    ])
    func `a rule that this program does not understand stops everything`(pairs: [String: String]) async throws
    {
        let alice = try await Person("Alice", clock: TestClock())
        var changes = ChangeSet(floor: 0)
        changes.put(
            RecordDraft(
                id: try RecordID("vault.rule", "odd"),
                attributes: try Attributes(pairs),
                body: try Secret(copying: [UInt8(1)])
            ),
            expecting: 0
        )
        try alice.store.commit(changes)
        await #expect(throws: VaultError.rule(.damaged)) { _ = try await alice.vault.rules() }
        _ = try await alice.vault.removeRule("odd")
        #expect(try await alice.vault.rules().isEmpty)
    }
}
