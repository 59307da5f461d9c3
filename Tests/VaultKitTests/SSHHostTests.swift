import RecordStore
import SSHFormats
import Support
import Testing
import VaultKit

/// The acts of the vault on host profiles, on every store.
struct SSHHostTests {
    private func fields(_ host: String, key: String? = nil) -> HostProfile.Fields {
        HostProfile.Fields(
            label: "The " + host,
            host: host,
            user: "deploy",
            authentication: key == nil ? "password" : "key",
            keyReference: key
        )
    }

    private func person(_ backend: Backend = .carried, clock: TestClock = TestClock()) async throws -> Person
    {
        let alice = try await Person("Alice", clock: clock, backend: backend)
        _ = try await alice.vault(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        return alice
    }

    @Test(arguments: Backend.allCases)
    func `a profile lives its life`(backend: Backend) async throws {
        let vault = try await person(backend).vault
        let extras = [HostRecord.ExtraField(name: "colour", json: "\"red\"")]
        let new = NewHost(
            name: "DB1",
            fields: fields("db1.example.org", key: "work"),
            extras: extras,
            isDefault: true
        )
        let made = try await vault.addSSHHost(new)
        #expect(made.name == "db1")
        #expect(try await vault(Operations.defaultSSHHost) == made)
        var change = HostChange()
        change.name = "main"
        change.port = 2222
        change.hostKeyAlias = "alias"
        let changed = try await vault(Operations.setSSHHost, "Db1", change)
        #expect(changed.profile.id == made.profile.id)
        #expect(changed.created == made.created)
        #expect(changed.extras == extras)
        #expect(changed.profile.lookupName == (try HostName(alias: "alias")))
        #expect(changed.profile.address.port == 2222)
        #expect(try await vault(Operations.sshHosts, .kept) == [changed])
        change = HostChange()
        change.hostKeyAlias = ""
        #expect(try await vault(Operations.setSSHHost, "main", change).profile.hostKeyAlias == nil)
        let removed = try await vault(Operations.removeSSHHost, "main")
        #expect(try await vault(Operations.sshHosts, .kept).isEmpty)
        #expect(try await vault(Operations.sshHosts, .trash) == [removed])
        #expect(try await vault(Operations.defaultSSHHost) == nil)
        #expect(try await vault(Operations.restoreSSHHost, "main").profile.id == made.profile.id)
    }

    @Test(arguments: Backend.allCases)
    func `a profile follows its key to another name in the same commit`(backend: Backend) async throws {
        let vault = try await person(backend).vault
        for name in ["a", "b"] {
            _ = try await vault.addSSHHost(NewHost(name: name, fields: fields(name, key: "work")))
        }
        _ = try await vault.addSSHHost(NewHost(name: "c", fields: fields("c")))
        _ = try await vault(Operations.removeSSHHost, "b")
        let before = try await vault(Operations.sshHost, "c")
        var change = KeyChange()
        change.name = "office"
        _ = try await vault(Operations.setSSHKey, "work", change)
        #expect(try await vault(Operations.sshHost, "a").profile.keyReference == "office")
        #expect(try await vault(Operations.sshHost, "b").profile.keyReference == "office")
        #expect(try await vault(Operations.sshHost, "c") == before)
        // A new key under the old name is another key.
        _ = try await vault(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        #expect(try await vault(Operations.sshHost, "a").profile.keyReference == "office")
    }

    @Test func `a reference needs its key when it is made`() async throws {
        let vault = try await person().vault
        let added = try await vault.addSSHHost(NewHost(name: "a", fields: fields("a", key: "work")))
        _ = try await vault(Operations.removeSSHKey, "work")
        await #expect(throws: VaultError.ssh(.keyInTrash)) {
            try await vault.addSSHHost(NewHost(name: "b", fields: fields("b", key: "work")))
        }
        for key in ["home", "a/b", "\u{202E}"] {
            await #expect(throws: VaultError.self) {
                try await vault.addSSHHost(NewHost(name: "b", fields: fields("b", key: key)))
            }
        }
        await #expect(throws: VaultError.ssh(.unknownKey)) {
            try await vault.addSSHHost(NewHost(name: "b", fields: fields("b", key: "home")))
        }
        // The reference that was there stays, and does not stand in the way of other changes.
        var change = HostChange()
        change.port = 23
        #expect(try await vault(Operations.setSSHHost, "a", change).profile.keyReference == "work")
        change.keyReference = "home"
        await #expect(throws: VaultError.ssh(.unknownKey)) {
            try await vault(Operations.setSSHHost, "a", change)
        }
        #expect(try await vault(Operations.sshHosts, .kept).map(\.profile.id) == [added.profile.id])
    }

    @Test func `one host is the default, or none`() async throws {
        let vault = try await person().vault
        for name in ["a", "b"] {
            _ = try await vault.addSSHHost(NewHost(name: name, fields: fields(name), isDefault: true))
        }
        #expect(try await vault(Operations.defaultSSHHost)?.name == "b")
        _ = try await vault(Operations.setDefaultSSHHost, "A")
        #expect(try await vault(Operations.sshHosts, .kept).map(\.isDefault) == [true, false])
        _ = try await vault(Operations.setDefaultSSHHost, nil)
        #expect(try await vault(Operations.defaultSSHHost) == nil)
        await #expect(throws: VaultError.ssh(.unknownHost)) {
            try await vault(Operations.setDefaultSSHHost, "c")
        }
    }

    @Test func `a name in the trash gives way, and the trash forgets after thirty days`() async throws {
        let clock = TestClock()
        let vault = try await person(clock: clock).vault
        let old = try await vault.addSSHHost(NewHost(name: "a", fields: fields("a")))
        _ = try await vault(Operations.removeSSHHost, "a")
        _ = try await vault.addSSHHost(NewHost(name: "a", fields: fields("a")))
        #expect(try await vault(Operations.sshHosts, .trash).map(\.name) == ["a-2"])
        #expect(try await vault(Operations.sshHost, "a-2").profile.id == old.profile.id)
        try await vault.live(30 * 86_400, by: clock)
        _ = try await vault.addSSHHost(NewHost(name: "b", fields: fields("b")))
        #expect(try await vault(Operations.sshHosts, .trash).count == 1)
        clock.advance(by: 1)
        _ = try await vault.addSSHHost(NewHost(name: "c", fields: fields("c")))
        #expect(try await vault(Operations.sshHosts, .trash).isEmpty)
    }

    @Test(arguments: Backend.allCases)
    func `a profile that comes again while it lies in the trash is out of it, and stays`(backend: Backend)
        async throws
    {
        let clock = TestClock()
        let vault = try await person(backend, clock: clock).vault
        let old = try await vault.addSSHHost(NewHost(name: "a", fields: fields("a")))
        _ = try await vault(Operations.removeSSHHost, "a")
        // Its name went to another one meanwhile.
        _ = try await vault.addSSHHost(NewHost(name: "a", fields: fields("x")))
        try await vault.live(31 * 86_400, by: clock)
        let again = NewHost(name: "b", fields: fields("b"), id: old.profile.id)
        let back = try await vault.addSSHHost(again)
        #expect(back.removedAt == nil && back.name == "b" && back.profile.id == old.profile.id)
        #expect(back.profile.fields.host == fields("b").host && back.created == old.created)
        await #expect(throws: VaultError.ssh(.hostInVault)) {
            try await vault.addSSHHost(NewHost(name: "c", fields: fields("c"), id: old.profile.id))
        }
        try await vault.live(31 * 86_400, by: clock)
        _ = try await vault.addSSHHost(NewHost(name: "c", fields: fields("c")))
        #expect(try await vault(Operations.sshHosts, .kept).map(\.name) == ["a", "b", "c"])
        #expect(try await vault(Operations.sshHosts, .trash).isEmpty)
    }

    @Test func `refusals change nothing`() async throws {
        let vault = try await person().vault
        for name in ["a", "b"] {
            _ = try await vault.addSSHHost(NewHost(name: name, fields: fields(name)))
        }
        let before = try await vault(Operations.sshHosts, .kept)
        await #expect(throws: VaultError.ssh(.hostNameTaken)) {
            try await vault(
                Operations.addSSHHosts,
                [
                    NewHost(name: "c", fields: fields("c")), NewHost(name: "A", fields: fields("a")),
                ]
            )
        }
        var change = HostChange()
        change.name = "b"
        await #expect(throws: VaultError.ssh(.hostNameTaken)) {
            try await vault(Operations.setSSHHost, "a", change)
        }
        change.name = "-oProxyCommand=x"
        await #expect(throws: VaultError.ssh(.format(.badHostName))) {
            try await vault(Operations.setSSHHost, "a", change)
        }
        change = HostChange()
        change.port = 65_536
        await #expect(throws: VaultError.ssh(.format(.badPort))) {
            try await vault(Operations.setSSHHost, "a", change)
        }
        change = HostChange()
        change.user = "a;b"
        await #expect(throws: VaultError.ssh(.format(.badUser))) {
            try await vault(Operations.setSSHHost, "a", change)
        }
        await #expect(throws: VaultError.ssh(.unknownHost)) { try await vault(Operations.removeSSHHost, "c") }
        #expect(try await vault(Operations.sshHosts, .kept) == before)
        _ = try await vault(Operations.removeSSHHost, "a")
        await #expect(throws: VaultError.ssh(.hostInTrash)) { try await vault(Operations.removeSSHHost, "a") }
        await #expect(throws: VaultError.ssh(.hostInTrash)) {
            try await vault(Operations.setDefaultSSHHost, "a")
        }
    }

    @Test func `a second process adds to the same profiles`() async throws {
        let alice = try await person()
        let other = alice.secondProcess()
        await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let vault = number.isMultiple(of: 2) ? alice.vault : other
                group.addTask {
                    let host = NewHost(name: "h\(number)", fields: fields("h\(number)"), isDefault: true)
                    _ = try await vault.addSSHHost(host)
                }
            }
        }
        let hosts = try await alice.vault(Operations.sshHosts, .kept)
        #expect(hosts.count == 20)
        #expect(hosts.count { $0.isDefault } == 1)
    }
}
