import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// The acts of the vault on passwords, tokens, notes and files, on every store.
struct CredentialTests {
    private func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }

    private func text(_ value: CredentialValue) -> String {
        value.value.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
    }

    private func login(_ password: String, user: String? = nil, url: String? = nil) throws -> CredentialChange
    {
        var change = CredentialChange()
        try change.put(try secret(password))
        if let user { try change.put(user, in: "user") }
        if let url { try change.put(url, in: "url") }
        return change
    }

    private func get(_ name: String, _ vault: any VaultService, field: String? = nil, version: UInt32? = nil)
        async throws -> String
    {
        text(try await vault.credentialValue(CredentialReference(name, field: field, version: version)))
    }

    @Test(arguments: Backend.allCases)
    func `a credential lives its life`(backend: Backend) async throws {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock, backend: backend).vault
        var change = try login("one", user: "me", url: "https://x:y@Example.org/a?token=1")
        change.tags = ["work"]
        change.expires = .at(1_900_000_000)
        let made = try await vault(Operations.setCredential, "db/prod", change)
        #expect(made.isNew && made.hasNewVersion)
        #expect(made.summary.kind == .login && made.summary.user == "me" && made.summary.tags == ["work"])
        #expect(made.summary.url == "https://example.org/a")
        #expect(made.summary.expires == 1_900_000_000)
        clock.advance(by: 10)
        let changed = try await vault(Operations.setCredential, "db/prod", try login("two"))
        #expect(!changed.isNew && changed.hasNewVersion && changed.summary.version == 2)
        #expect(changed.summary.changed == made.summary.changed + 10)
        #expect(changed.summary.created == made.summary.created && changed.summary.user == "me")
        #expect(try await get("db/prod", vault) == "two")
        #expect(try await get("db/prod", vault, version: 1) == "one")
        #expect(try await get("db/prod", vault, field: "url") == "https://x:y@Example.org/a?token=1")
        let moved = try await vault(Operations.moveCredential, "db/prod", "db/old")
        #expect(moved.created == made.summary.created)
        #expect(
            try await vault(Operations.credential, "db/old", .kept).versions.map(\.fields) == [
                ["password", "user", "url"], ["password", "user", "url"],
            ]
        )
        _ = try await vault(Operations.removeCredential, "db/old", .any)
        #expect(try await vault.credentials().isEmpty)
        var trash = CredentialQuery()
        trash.inTrash = true
        #expect(try await vault.credentials(trash).map(\.name) == ["db/old"])
        await #expect(throws: VaultError.secret(.inTrash)) { try await get("db/old", vault) }
        await #expect(throws: VaultError.secret(.unknownName)) { try await get("db/prod", vault) }
        #expect(try await vault(Operations.restoreCredential, "db/old").removedAt == nil)
        #expect(try await get("db/old", vault) == "two")
    }

    @Test(arguments: Backend.allCases)
    func `any bytes come back as they went in`(backend: Backend) async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        for value in [[], [0], [10], Array(0...255), [UInt8](repeating: 0xC3, count: 100_000)] as [[UInt8]] {
            var change = CredentialChange()
            change.kind = .file
            try change.put(try Secret(copying: value))
            _ = try await vault(Operations.setCredential, "f\(value.count)", change)
            let found = try await vault.credentialValue(CredentialReference("f\(value.count)"))
            #expect(found.value.withBytes { $0.copied() } == value)
            #expect(found.reference.field == "content" && found.kind == .file)
        }
    }

    @Test func `the last ten versions are kept, and numbers are not used twice`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        for number in 1...12 { _ = try await vault(Operations.setCredential, "x", try login("p\(number)")) }
        #expect(try await vault(Operations.credential, "x", .kept).versions.map(\.number) == Array(3...12))
        await #expect(throws: VaultError.secret(.unknownSecretVersion)) {
            try await get("x", vault, version: 2)
        }
        #expect(try await get("x", vault, version: 3) == "p3")
    }

    @Test(arguments: [Backend.carried, .keyring])
    func `what is the same makes no version, and what is not written stays`(backend: Backend) async throws {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock, backend: backend).vault
        _ = try await vault(Operations.setCredential, "x", try login("p", user: "me"))
        clock.advance(by: 100)
        let same = try await vault(Operations.setCredential, "x", try login("p"))
        #expect(!same.hasNewVersion && same.summary.version == 1)
        #expect(same.summary.modified == same.summary.created)
        var tags = CredentialChange()
        tags.addedTags = ["a"]
        tags.expires = .at(2_000_000_000)
        let tagged = try await vault(Operations.setCredential, "x", tags)
        #expect(!tagged.hasNewVersion && tagged.summary.tags == ["a"] && tagged.summary.user == "me")
        tags.addedTags = []
        tags.removedTags = ["a"]
        tags.expires = .never
        tags.dropped = ["user", "nothing"]
        let bare = try await vault(Operations.setCredential, "x", tags)
        #expect(bare.hasNewVersion && bare.summary.tags.isEmpty && bare.summary.user == nil)
        #expect(bare.summary.expires == nil)
        tags.dropped = ["password"]
        await #expect(throws: VaultError.secret(.noFields)) {
            try await vault(Operations.setCredential, "x", tags)
        }
        var note = CredentialChange()
        note.kind = .note
        await #expect(throws: VaultError.secret(.kindDiffers)) {
            try await vault(Operations.setCredential, "x", note)
        }
    }

    @Test func `a condition is judged in the moment of the change`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        var change = try login("one")
        change.condition = .present
        await #expect(throws: VaultError.secret(.unknownName)) {
            try await vault(Operations.setCredential, "x", change)
        }
        change.condition = .absent
        _ = try await vault(Operations.setCredential, "x", change)
        await #expect(throws: VaultError.secret(.nameTaken)) {
            try await vault(Operations.setCredential, "x", change)
        }
        change.condition = .version(2)
        await #expect(throws: VaultError.secret(.changedMeanwhile)) {
            try await vault(Operations.setCredential, "x", change)
        }
        await #expect(throws: VaultError.secret(.changedMeanwhile)) {
            try await vault(Operations.removeCredential, "x", .holds(field: nil, try secret("other")))
        }
        #expect(try await get("x", vault) == "one")
        _ = try await vault(Operations.removeCredential, "x", .holds(field: "password", try secret("one")))
        #expect(try await vault.credentials().isEmpty)
    }

    @Test(arguments: [Backend.carried, .file])
    func `a name in the trash is given up, and the trash forgets after thirty days`(backend: Backend)
        async throws
    {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock, backend: backend).vault
        var trash = CredentialQuery()
        trash.inTrash = true
        _ = try await vault(Operations.setCredential, "x", try login("old"))
        _ = try await vault(Operations.removeCredential, "x", .any)
        let new = try await vault(Operations.setCredential, "x", try login("new"))
        #expect(new.isNew && new.summary.version == 1)
        #expect(try await vault.credentials(trash).map(\.name) == ["x-2"])
        await #expect(throws: VaultError.secret(.nameTaken)) {
            _ = try await vault(Operations.setCredential, "y", try login("y"))
            _ = try await vault(Operations.moveCredential, "y", "x")
        }
        try await vault.live(31 * 86_400, by: clock)
        _ = try await vault(Operations.removeCredential, "y", .any)
        #expect(try await vault.credentials(trash).map(\.name) == ["y"])
        #expect(try await get("x", vault) == "new")
    }

    @Test(arguments: Backend.allCases)
    func `several values come as of one moment, and a missing one stops them all`(backend: Backend)
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        for number in 0..<40 {
            _ = try await vault(Operations.setCredential, "n\(number)", try login("v\(number)", user: "u"))
        }
        let wanted = (0..<40).map { CredentialReference("n\($0)", field: $0 % 2 == 0 ? nil : "user") }
        let values = try await vault.credentialValues(wanted).map(text)
        #expect(values == (0..<40).map { $0 % 2 == 0 ? "v\($0)" : "u" })
        let error = VaultError.secret(.unresolved(index: 1, .unknownField))
        await #expect(throws: error) {
            try await vault.credentialValues([wanted[0], CredentialReference("n1", field: "pin")])
        }
        #expect(try await vault.credentialValues([]).isEmpty)
        await #expect(throws: VaultError.secret(.tooMuch(limit: 256))) {
            try await vault.credentialValues([CredentialReference](repeating: wanted[0], count: 257))
        }
    }

    @Test(arguments: [Backend.carried, .file, .keyring])
    func `the best credential for an address comes first`(backend: Backend) async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        let kept = [
            ("any", "me", "https://github.com"), ("work", "me", "https://github.com/work"),
            ("you", "you", "github.com"), ("other", "me", "https://gitlab.com"),
        ]
        for (name, user, url) in kept {
            _ = try await vault(Operations.setCredential, name, try login("p", user: user, url: url))
        }
        var query = CredentialQuery()
        query.url = CredentialURL("https://github.com/work/x.git")
        #expect(try await vault.credentials(query).map(\.name) == ["work", "any", "you"])
        query.user = "you"
        #expect(try await vault.credentials(query).map(\.name) == ["you"])
        query = CredentialQuery()
        query.text = "GITHUB"
        #expect(try await vault.credentials(query).count == 3)
        query.text = nil
        query.expiresBefore = .max
        #expect(try await vault.credentials(query).isEmpty)
    }

    @Test(arguments: Backend.allCases)
    func `an import is one commit, and names what is there already`(backend: Backend) async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        _ = try await vault(Operations.setCredential, "same", try login("p"))
        _ = try await vault(
            Operations.setCredential,
            "taken",
            try login("mine", user: "me", url: "https://a.example/x")
        )
        var batch = CredentialBatch()
        func add(_ name: String, _ password: String, user: String? = nil, url: String? = nil) throws {
            var fields = [try CredentialField("password", text: password)]
            if let user { fields.append(try CredentialField("user", text: user)) }
            if let url { fields.append(try CredentialField("url", text: url)) }
            try batch.append(try Credential(.login, fields, at: 1_600_000_000), named: name)
        }
        try add("new", "1")
        try add("same", "p")
        try add("taken", "theirs")
        try add("new", "2")
        try add("new", "2")
        try add("twin", "x", user: "me", url: "https://a.example/x/")
        var rules = CredentialImportRules()
        let trial = try await vault.importCredentials(batch, rules, isTrial: true)
        #expect(trial.map(\.act) == [.added, .known, .nameTaken, .renamed, .renamed, .added])
        #expect(trial.last?.twin == "taken")
        #expect(try await vault.credentials().count == 2)
        rules.leavesTwins = true
        rules.taken = .addVersion
        let done = try await vault.importCredentials(batch, rules)
        #expect(done.map(\.act) == [.added, .known, .versioned, .renamed, .renamed, .twin])
        #expect(done[3].name == "new-2")
        #expect(try await vault.credentials().map(\.name) == ["new", "new-2", "new-3", "same", "taken"])
        #expect(try await get("taken", vault, version: 1) == "mine")
        #expect(try await get("taken", vault) == "theirs")
        #expect(try await vault(Operations.credential, "new", .kept).summary.created == 1_600_000_000)
    }

    @Test(arguments: Backend.allCases)
    func `what is imported again while it lies in the trash is out of it, with its history`(backend: Backend)
        async throws
    {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock, backend: backend).vault
        _ = try await vault(Operations.setCredential, "x", try login("first"))
        _ = try await vault(Operations.setCredential, "x", try login("second"))
        _ = try await vault(Operations.setCredential, "y", try login("y"))
        for name in ["x", "y"] { _ = try await vault(Operations.removeCredential, name, .any) }
        try await vault.live(31 * 86_400, by: clock)
        var batch = CredentialBatch()
        for (name, value) in [("x", "second"), ("y", "another")] {
            let field = try CredentialField("password", try secret(value))
            try batch.append(try Credential(.login, [field], at: 1), named: name)
        }
        let trial = try await vault.importCredentials(batch, isTrial: true)
        #expect(trial.map(\.act) == [.restored, .added])
        #expect(try await vault.importCredentials(batch) == trial)
        try await vault.live(31 * 86_400, by: clock)
        _ = try await vault(Operations.setCredential, "z", try login("z"))
        _ = try await vault(Operations.removeCredential, "z", .any)
        #expect(try await vault.credentials().map(\.name) == ["x", "y"])
        #expect(try await get("x", vault) == "second")
        #expect(try await vault.wholeCredential("x").credential.versions.count == 2)
        #expect(try await get("y", vault) == "another")
    }

    @Test func `many of one name get numbers, each its own, and all of them are names`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        var batch = CredentialBatch()
        let long = String(repeating: "é", count: 124)
        for number in 0..<300 {
            for (place, name) in ["a", long, String(long.dropLast()) + "éx".suffix(1)].enumerated() {
                let value = try CredentialField("text", text: "\(place) \(number)")
                try batch.append(try Credential(.note, [value], at: 1), named: name)
            }
        }
        let outcomes = try await vault.importCredentials(batch)
        #expect(Set(outcomes.map(\.name)).count == 900)
        #expect(outcomes.allSatisfy { CredentialName.isValid($0.name) && $0.isStored })
        #expect(outcomes.filter { $0.given == "a" }.last?.name == "a-300")
        #expect(try await vault.exportCredentials().count == 900)
    }

    @Test func `one bad credential and none is taken`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        var batch = CredentialBatch()
        try batch.append(try Credential(.note, [CredentialField("text", text: "a")], at: 1), named: "a")
        try batch.append(try Credential(.note, [CredentialField("text", text: "b")], at: 1), named: "b")
        let other = try await Person("Bob", clock: TestClock())
        try other.faulty().fail(atCommit: try other.faulty().commits + 1, .before)
        await #expect(throws: (any Error).self) { try await other.vault.importCredentials(batch) }
        #expect(try await other.vault.credentials().isEmpty)
        #expect(try await vault.importCredentials(batch).allSatisfy(\.isStored))
    }

    @Test(arguments: [Backend.carried, .file])
    func `thousands go in and out as bytes, whole`(backend: Backend) async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        var batch = CredentialBatch()
        for number in 0..<3_000 {
            let fields = [
                try CredentialField("password", text: "p\(number)"), try CredentialField("user", text: "u"),
            ]
            try batch.append(try Credential(.login, fields, at: 7), named: "site \(number)")
        }
        #expect(try await vault.importCredentials(batch).count == 3_000)
        #expect(try await get("site 2999", vault) == "p2999")
        let out = try await vault.exportCredentials()
        #expect(out.count == 3_000)
        let item = try #require(try out.items().first { $0.name == "site 17" })
        #expect(try item.credential().current.fields.map(\.name) == ["password", "user"])
    }

    @Test func `a file with its history goes out whole`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        for number in UInt8(1)...4 {
            var change = CredentialChange()
            change.kind = .file
            try change.put(try Secret(copying: [UInt8](repeating: number, count: 1 << 20)))
            _ = try await vault(Operations.setCredential, "big", change)
        }
        let (_, whole) = try await vault.wholeCredential("big")
        #expect(whole.versions.map { $0["content"]?.value.count } == [1 << 20, 1 << 20, 1 << 20, 1 << 20])
        #expect(try await vault.wholeCredential("big", history: false).credential.versions.count == 1)
        #expect(try await vault.exportCredentials(history: true).count == 1)
    }

    @Test(arguments: ["", " x", "x\n", "a\u{202E}b", String(repeating: "é", count: 125)])
    func `a name that no list could show is refused`(name: String) async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        await #expect(throws: VaultError.secret(.badName)) {
            try await vault(Operations.setCredential, name, try login("p"))
        }
        await #expect(throws: VaultError.secret(.unknownName)) { try await get(name, vault) }
    }

    @Test func `a name is found in any form of Unicode`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        _ = try await vault(Operations.setCredential, "cafe\u{301}", try login("p"))
        #expect(try await get("caf\u{E9}", vault) == "p")
    }
}
