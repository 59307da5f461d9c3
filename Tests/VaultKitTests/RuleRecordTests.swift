import HSIP
import RecordStore
import SSHFormats
import Secrets
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
        var bare = Rule(name: "bare", effect: .each)
        bare.inside = "unit:tools.slice"
        _ = try await alice.vault(Operations.addRule, rule("full"))
        let other = alice.secondProcess()
        _ = try await other(Operations.addRule, bare)
        #expect(try await alice.vault(Operations.rules) == [bare, rule("full")])
        #expect(try await alice.vault(Operations.removeRule, "full") == rule("full"))
        #expect(try await alice.vault(Operations.rules) == [bare])
    }

    @Test func `what cannot be kept is refused`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        _ = try await alice.vault(Operations.addRule, rule("a"))
        await #expect(throws: VaultError.rule(.nameTaken)) {
            try await alice.vault(Operations.addRule, rule("a"))
        }
        await #expect(throws: VaultError.rule(.unknown)) {
            _ = try await alice.vault(Operations.removeRule, "b")
        }
        await #expect(throws: VaultError.rule(.bad(.allowsEverything))) {
            try await alice.vault(Operations.addRule, Rule(name: "all", effect: .allow))
        }
    }

    @Test(arguments: [
        ["effect": "shrug"], ["effect": "deny", "weekday": "monday"], ["effect": "deny", "kind": "x"], [:],
        ["effect": "deny", "expires": "soon"], ["effect": "deny", "inside": "tools"],
        ["effect": "allow", "inside": "/usr/bin/sh"],
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
        await #expect(throws: VaultError.rule(.damaged)) { _ = try await alice.vault(Operations.rules) }
        _ = try await alice.vault(Operations.removeRule, "odd")
        #expect(try await alice.vault(Operations.rules).isEmpty)
    }

    private func rule(_ name: String, _ effect: Effect, _ subject: String) -> Rule {
        var rule = Rule(name: name, effect: effect)
        rule.subject = subject
        return rule
    }

    /// Rules as `name effect subject`.
    private func said(_ person: Person) async throws -> [String] {
        try await person.vault(Operations.rules).map { "\($0.name) \($0.effect) \($0.subject ?? "")" }
    }

    private func secret(_ person: Person, _ name: String) async throws {
        var change = CredentialChange()
        try change.put("value", in: "password")
        _ = try await person.vault(Operations.setCredential, name, change)
    }

    @Test(arguments: Backend.allCases)
    func `a rule follows what it names to another name`(backend: Backend) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        let bob = try await Person("Bob", clock: alice.clock)
        try await alice.pair(with: bob)
        try await secret(alice, "prod")
        _ = try await alice.vault(Operations.generateSSHKey, "k", .ed25519, [], KeyUse())
        for (name, effect, subject) in [
            ("one", Effect.deny, "prod"), ("two", .deny, "k"), ("three", .ask, "bob"),
            ("four", .allow, "prod"),
            ("five", .deny, "other"), ("six", .deny, "prod/*"),
        ] {
            _ = try await alice.vault(Operations.addRule, rule(name, effect, subject))
        }
        _ = try await alice.vault(Operations.moveCredential, "prod", "harmless")
        var change = KeyChange()
        change.name = "k2"
        _ = try await alice.vault(Operations.setSSHKey, "k", change)
        _ = try await alice.vault(Operations.setContact, "bob", ContactChange(alias: "bobby"))
        #expect(
            try await said(alice) == [
                "five deny other", "four allow harmless", "one deny harmless", "six deny prod/*",
                "three ask bobby", "two deny k2",
            ]
        )
    }

    @Test func `a rule that refuses covers both names where something else has the old one`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        try await secret(alice, "work")
        _ = try await alice.vault(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        _ = try await alice.vault(Operations.addRule, rule("never", .deny, "work"))
        _ = try await alice.vault(Operations.addRule, rule("ever", .allow, "work"))
        _ = try await alice.vault(Operations.moveCredential, "work", "play")
        #expect(
            try await said(alice) == ["ever allow work", "never deny work", "never-2 deny play"]
        )
    }

    @Test func `a rule for the new name has every condition of the one that it is made from`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        try await secret(alice, "work")
        _ = try await alice.vault(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        var rule = rule("careful", .each, "work")
        (rule.kind, rule.program, rule.inside) = (.read, "/usr/bin/sh", "unit:tools.slice")
        rule.expires = 1_900_000_000
        _ = try await alice.vault(Operations.addRule, rule)
        _ = try await alice.vault(Operations.moveCredential, "work", "play")
        let copy = try #require(try await alice.vault(Operations.rules).first { $0.name == "careful-2" })
        #expect(copy.effect == .each && copy.subject == "play")
        #expect((copy.kind, copy.program, copy.inside) == (.read, "/usr/bin/sh", "unit:tools.slice"))
        #expect(copy.expires == 1_900_000_000 && copy.host == nil && copy.namespace == nil)
    }

    @Test func `a rule that allows does not reach another thing of the new name`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        try await secret(alice, "mine")
        _ = try await alice.vault(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        _ = try await alice.vault(Operations.addRule, rule("ever", .allow, "mine"))
        _ = try await alice.vault(Operations.moveCredential, "mine", "work")
        #expect(try await said(alice) == ["ever allow mine"])
    }

    @Test func `what gave its name up in the trash is refused under its new name as well`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        try await secret(alice, "prod")
        _ = try await alice.vault(Operations.generateSSHKey, "k", .ed25519, [], KeyUse())
        _ = try await alice.vault(Operations.addRule, rule("never", .deny, "prod"))
        _ = try await alice.vault(Operations.addRule, rule("key", .deny, "k"))
        _ = try await alice.vault(Operations.removeCredential, "prod", .any)
        try await secret(alice, "prod")
        _ = try await alice.vault.rotateSSHKey("k")
        #expect(try await alice.vault(Operations.restoreCredential, "prod-2").name == "prod-2")
        #expect(
            try await said(alice) == [
                "key deny k", "key-2 deny k-retired", "never deny prod", "never-2 deny prod-2",
            ]
        )
    }

    @Test func `a rule for a route follows both of its hosts and keeps all that it says`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        for name in ["jump", "web"] { try await host(alice, name, "\(name).example.org") }
        _ = try await alice.vault(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        var rule = rule("way", .allow, "work")
        (rule.kind, rule.user, rule.host, rule.via) = (.login, "deploy", "web", "jump")
        rule.expires = 1_900_000_000
        _ = try await alice.vault(Operations.addRule, rule)
        #expect(try await alice.vault(Operations.rules) == [rule])
        for (old, new) in [("jump", "gate"), ("web", "shop")] {
            var change = HostChange()
            change.name = new
            _ = try await alice.vault(Operations.setSSHHost, old, change)
        }
        (rule.host, rule.via) = ("shop", "gate")
        #expect(try await alice.vault(Operations.rules) == [rule])
    }

    private func host(_ person: Person, _ name: String, _ address: String) async throws {
        let fields = HostProfile.Fields(label: "", host: address, user: "me", authentication: "password")
        _ = try await person.vault.addSSHHost(NewHost(name: name, fields: fields))
    }

    private func rename(_ person: Person, _ name: String, to other: String) async throws {
        var change = HostChange()
        change.name = other
        _ = try await person.vault(Operations.setSSHHost, name, change)
    }

    @Test(arguments: Backend.allCases)
    func `a rule about a host follows its profile to another name`(backend: Backend) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        try await host(alice, "prod", "10.0.0.1")
        try await host(alice, "web.t", "web.t")
        for (name, effect, host) in [
            ("one", Effect.deny, "Prod"), ("two", .ask, "web.t"), ("three", .allow, "prod"),
            ("four", .allow, "web.t"),
        ] {
            var rule = Rule(name: name, effect: effect)
            rule.host = host
            _ = try await alice.vault(Operations.addRule, rule)
        }
        try await rename(alice, "prod", to: "main")
        // A host that is reached by the old name stays refused by it.
        try await rename(alice, "web.t", to: "web")
        let rules = try await alice.vault(Operations.rules).map { "\($0.name) \($0.effect) \($0.host ?? "")" }
        #expect(
            rules == [
                "four allow web.t", "one deny main", "three allow main", "two ask web.t", "two-2 ask web",
            ]
        )
    }

    @Test func `a profile that gives its name up in the trash is refused under its new one`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        try await host(alice, "prod", "10.0.0.1")
        var rule = Rule(name: "never", effect: .deny)
        rule.host = "prod"
        _ = try await alice.vault(Operations.addRule, rule)
        _ = try await alice.vault(Operations.removeSSHHost, "prod")
        try await host(alice, "prod", "10.0.0.2")
        #expect(try await alice.vault(Operations.rules).map(\.host) == ["prod", "prod-2"])
    }

    @Test func `a subject is kept as the vault spells names`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        _ = try await alice.vault(Operations.addRule, rule("a", .deny, "cafe\u{301}/*"))
        #expect(
            try await alice.vault(Operations.rules)[0].subject?.utf8.elementsEqual("caf\u{E9}/*".utf8) == true
        )
    }
}
