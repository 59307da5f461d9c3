import RecordStore
import SSHFormats
import Support
import Testing
import VaultCrypto
import VaultKit

/// The acts of the vault on SSH keys, on every store.
struct SSHKeyTests {
    private func key(_ comment: String = "c") throws -> PrivateKey {
        try .ed25519(comment: Array(comment.utf8), entropy: .system)
    }

    private func bring(_ key: PrivateKey, _ name: String, to vault: any VaultService) async throws
        -> KeyImportOutcome
    {
        let records = [KeyImport(KeyRecord(key, origin: .openSSH), named: name)]
        return try #require(try await vault(Operations.importSSHKeys, records).first)
    }

    @Test(arguments: Backend.allCases)
    func `a key lives its life`(backend: Backend) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        let made = try await alice.vault(
            Operations.generateSSHKey,
            "work",
            .ed25519,
            Array("me".utf8),
            KeyUse()
        )
        #expect(made.isInUse)
        var change = KeyChange()
        change.name = "office"
        change.namespaces = ["git"]
        let changed = try await alice.vault(Operations.setSSHKey, "work", change)
        #expect(changed.fingerprint == made.fingerprint)
        #expect(changed.created == made.created)
        let (new, old) = try await alice.vault.rotateSSHKey("office")
        #expect(new.name == "office")
        #expect(new.use.namespaces == ["git"])
        #expect(old.name == "office-retired")
        #expect(old.fingerprint == made.fingerprint)
        #expect(old.state == .retired)
        _ = try await alice.vault(Operations.removeSSHKey, "office")
        #expect(try await alice.vault(Operations.sshKeys, .kept).map(\.name) == ["office-retired"])
        #expect(try await alice.vault(Operations.sshKeys, .trash).map(\.name) == ["office"])
        #expect(try await alice.vault(Operations.restoreSSHKey, "office").isInUse)
    }

    @Test(arguments: Backend.allCases)
    func `a certificate comes to its key without the private half`(backend: Backend) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        let key = try key()
        _ = try await bring(key, "work", to: alice.vault)
        let certificate = try certificate(of: key.publicKey)
        let add = [KeyImport(present: certificate, certificates: [certificate], named: "work")]
        let outcome = try await alice.vault(Operations.importSSHKeys, add)
        #expect(outcome.map(\.key.certificates) == [1])
        guard case .known(_, newCertificates: 0) = try await alice.vault(Operations.importSSHKeys, add).first
        else {
            Issue.record("taken twice")
            return
        }
        let half = try await alice.vault(Operations.sshPublicHalf, "work")
        #expect(half.certificates == [certificate])
        #expect(half.publicKey == key.publicKey)
        let other = try self.key().publicKey
        let stranger = [
            KeyImport(present: other, certificates: [try self.certificate(of: other)], named: "x")
        ]
        await #expect(throws: VaultError.ssh(.unknownKey)) {
            try await alice.vault(Operations.importSSHKeys, stranger)
        }
    }

    private func certificate(of key: PublicKey) throws -> PublicKey {
        try SSHCertificates.make(of: key, by: try self.key("ca"))
    }

    @Test(arguments: Backend.allCases)
    func `a certificate that no CA has signed comes into no vault`(backend: Backend) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        let key = try key()
        let good = try certificate(of: key.publicKey)
        let forged = try SSHCertificates.forged(good)
        // As bytes of another program, a new key brings it along.
        var record = KeyRecord(key, origin: .openSSH)
        try record.add(good)
        let content = try record.content().withBytes { $0.copied() }
        let place = try #require(
            content.indices.last { content[...$0].suffix(8).elementsEqual(good.blob.suffix(8)) }
        )
        var other = content
        other[place] ^= 1
        let bad = try KeyRecord(content: Secret(copying: other))
        #expect(bad.certificates == [forged] && bad.signedCertificates.isEmpty)
        let refusal = VaultError.ssh(.format(.badSignature))
        await #expect(throws: refusal) {
            try await alice.vault(Operations.importSSHKeys, [KeyImport(bad, named: "work")])
        }
        #expect(try await alice.vault(Operations.sshKeys, .kept).isEmpty)
        _ = try await bring(key, "work", to: alice.vault)
        await #expect(throws: refusal) {
            try await alice.vault(
                Operations.importSSHKeys,
                [
                    KeyImport(present: key.publicKey, certificates: [good, forged], named: "work")
                ]
            )
        }
        #expect(try await alice.vault(Operations.sshPublicHalf, "work").certificates.isEmpty)
    }

    @Test func `a comment that no list could show comes into no vault`() async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: .file)
        let refusal = VaultError.ssh(.format(.malformed))
        await #expect(throws: refusal) {
            _ = try await alice.vault(Operations.generateSSHKey, "k", .ed25519, [0x61, 0, 0x62], KeyUse())
        }
        await #expect(throws: refusal) {
            _ = try await self.bring(try self.key("a\0b"), "k", to: alice.vault)
        }
        _ = try await bring(try key(), "k", to: alice.vault)
        var change = KeyChange()
        change.comment = [0]
        await #expect(throws: refusal) { _ = try await alice.vault(Operations.setSSHKey, "k", change) }
        #expect(try await alice.vault(Operations.sshKeys, .kept).map(\.comment) == [Array("c".utf8)])
    }

    @Test(arguments: Backend.allCases)
    func `a key is known by its fingerprint, whatever its name and comment`(backend: Backend) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        let first = try key()
        guard case .stored(let stored) = try await bring(first, "a", to: alice.vault) else {
            Issue.record("not stored")
            return
        }
        var again = first
        again.comment = Array("another".utf8)
        #expect(try await bring(again, "b", to: alice.vault) == .known(stored, newCertificates: 0))
        guard case .stored(let other) = try await bring(try key(), "a", to: alice.vault) else {
            Issue.record("not stored")
            return
        }
        #expect(other.name == "a-2")
    }

    @Test func `a second process changes the same keys`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        let other = alice.secondProcess()
        await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let vault = number.isMultiple(of: 2) ? alice.vault : other
                group.addTask {
                    _ = try await vault(Operations.generateSSHKey, "k\(number)", .ed25519, [], KeyUse())
                }
            }
        }
        #expect(try await alice.vault(Operations.sshKeys, .kept).count == 20)
    }

    @Test func `the trash forgets after thirty days, with the next change`() async throws {
        let clock = TestClock()
        let alice = try await Person("Alice", clock: clock)
        _ = try await bring(try key(), "old", to: alice.vault)
        _ = try await alice.vault(Operations.removeSSHKey, "old")
        try await alice.vault.live(30 * 86_400, by: clock)
        _ = try await bring(try key(), "a", to: alice.vault)
        #expect(try await alice.vault(Operations.sshKeys, .trash).count == 1)
        clock.advance(by: 1)
        _ = try await bring(try key(), "b", to: alice.vault)
        #expect(try await alice.vault(Operations.sshKeys, .trash).isEmpty)
    }

    @Test(arguments: Backend.allCases)
    func `a key that is imported while it lies in the trash is out of it, as it was, and stays`(
        backend: Backend
    )
        async throws
    {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock, backend: backend).vault
        let key = try key()
        _ = try await bring(key, "k", to: vault)
        var conditions = KeyChange()
        conditions.needsConfirmation = true
        let before = try await vault(Operations.setSSHKey, "k", conditions)
        _ = try await vault(Operations.removeSSHKey, "k")
        // So late that the next change of a key would let it go.
        try await vault.live(31 * 86_400, by: clock)
        guard case .restored(let back, newCertificates: 0) = try await bring(key, "other", to: vault) else {
            Issue.record("not restored")
            return
        }
        #expect(back.name == "k" && back.use == before.use && back.isInUse)
        #expect(try await bring(key, "k", to: vault) == .known(back, newCertificates: 0))
        try await vault.live(31 * 86_400, by: clock)
        _ = try await bring(try self.key(), "next", to: vault)
        #expect(try await vault(Operations.sshKeys, .kept).map(\.name) == ["k", "next"])
        #expect(try await vault.sshKey("k").record.key.publicKey.isSameKey(as: key.publicKey))
    }

    @Test
    func `the public half brings no key, neither out of the trash nor one that is not there`()
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock()).vault
        let key = try key()
        _ = try await bring(key, "k", to: vault)
        _ = try await vault(Operations.removeSSHKey, "k")
        let certificate = try certificate(of: key.publicKey)
        let again = KeyImport(present: key.publicKey, certificates: [certificate], named: "k")
        await #expect(throws: VaultError.ssh(.unknownKey)) {
            try await vault(Operations.importSSHKeys, [again])
        }
        #expect(try await vault(Operations.sshKeys, .kept) == [])
        guard case .restored = try await bring(key, "k", to: vault) else {
            Issue.record("not restored")
            return
        }
        guard case .known(_, newCertificates: 1) = try await vault(Operations.importSSHKeys, [again]).first
        else {
            Issue.record("no certificate")
            return
        }
        #expect(try await vault(Operations.sshKeys, .kept).map(\.certificates) == [1])
        let other = KeyImport(present: try self.key().publicKey, named: "x")
        await #expect(throws: VaultError.ssh(.unknownKey)) {
            try await vault(Operations.importSSHKeys, [other])
        }
    }

    @Test func `a name in the trash gives way`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        let old = try await alice.vault(Operations.generateSSHKey, "k", .ed25519, [], KeyUse())
        _ = try await alice.vault(Operations.removeSSHKey, "k")
        let new = try await alice.vault(Operations.generateSSHKey, "k", .ed25519, [], KeyUse())
        #expect(new.fingerprint != old.fingerprint)
        #expect(try await alice.vault(Operations.sshKeys, .trash).map(\.name) == ["k-2"])
        #expect(try await alice.vault(Operations.restoreSSHKey, "k-2").fingerprint == old.fingerprint)
    }

    @Test func `refusals change nothing`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        _ = try await bring(try key(), "a", to: alice.vault)
        _ = try await bring(try key(), "b", to: alice.vault)
        let before = try await alice.vault(Operations.sshKeys, .kept)
        var change = KeyChange()
        change.name = "b"
        await #expect(throws: VaultError.ssh(.keyNameTaken)) {
            try await alice.vault(Operations.setSSHKey, "a", change)
        }
        change.name = "../a"
        await #expect(throws: VaultError.ssh(.badKeyName)) {
            try await alice.vault(Operations.setSSHKey, "a", change)
        }
        change.name = nil
        change.hosts = ["a b"]
        await #expect(throws: VaultError.ssh(.format(.badHostName))) {
            try await alice.vault(Operations.setSSHKey, "a", change)
        }
        await #expect(throws: VaultError.ssh(.unknownKey)) {
            try await alice.vault(Operations.removeSSHKey, "c")
        }
        #expect(try await alice.vault(Operations.sshKeys, .kept) == before)
    }

    @Test func `an import is one commit, or none`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        let good = KeyImport(KeyRecord(try key(), origin: .openSSH), named: "good")
        let bad = KeyImport(KeyRecord(try key(), origin: .openSSH), named: "bad name")
        await #expect(throws: VaultError.ssh(.badKeyName)) {
            try await alice.vault(Operations.importSSHKeys, [good, bad])
        }
        #expect(try await alice.vault(Operations.sshKeys, .kept).isEmpty)
    }

    @Test func `a thousand keys are listed without opening one`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        var keys: [KeyImport] = []
        for number in 0..<1000 {
            keys.append(KeyImport(KeyRecord(try key("number \(number)"), origin: .openSSH), named: "key"))
        }
        let outcomes = try await alice.vault(Operations.importSSHKeys, keys)
        #expect(Set(outcomes.map(\.key.name)).count == 1000)
        let listed = try await alice.vault(Operations.sshKeys, .kept)
        #expect(listed.count == 1000)
        let one = try #require(listed.first { $0.name == "key-500" })
        #expect(one.line == (try await alice.vault.sshKey("key-500")).record.publicKey.line)
    }
}
