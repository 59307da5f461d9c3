import RecordStore
import SSHFormats
import Support
import Testing
import VaultCrypto
import VaultKit

/// The acts of the vault on known hosts, on every store.
struct SSHKnownHostsTests {
    private let keys: [PublicKey]

    init() throws {
        keys = try (0..<4).map { seed in
            try PrivateKey.ed25519(entropy: .seeded([UInt8(seed)])).publicKey
        }
    }

    private func host(_ text: String) throws -> HostName { try HostName(lookup: text) }

    @discardableResult
    private func trust(
        _ vault: any VaultService,
        _ key: Int,
        _ name: String,
        additional: Bool = false
    ) async throws -> HostKeyTrust {
        try await vault.trustHostKey(
            keys[key],
            for: host(name),
            source: .firstUse,
            additional: additional
        )
    }

    private func text(_ lines: [(String, Int)]) -> [UInt8] {
        lines.reduce(into: []) { text, line in
            text += Array(line.0.utf8) + [0x20] + keys[line.1].typeAndBase64 + [0x0A]
        }
    }

    @Test(arguments: Backend.allCases)
    func `a host key lives its life`(backend: Backend) async throws {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock, backend: backend).vault
        let db1 = try host("[db1]:2222")
        #expect(try await vault(Operations.checkHostKey, keys[0], db1, false).verdict == .new)
        let trusted = try await trust(vault, 0, "[db1]:2222")
        #expect(trusted.isNew)
        let again = try await trust(vault, 0, "[db1]:2222")
        #expect(!again.isNew)
        #expect(again.line == trusted.line)
        let check = try await vault(Operations.checkHostKey, keys[0], db1, false)
        #expect(check.verdict.isTrusted)
        #expect(check.lines == [trusted.line])
        let changed = try await vault(Operations.checkHostKey, keys[1], db1, true)
        #expect(changed.verdict == .changed(trusted: [trusted.line.host]))
        #expect(changed.lines == [trusted.line])
        await #expect(throws: VaultError.ssh(.hostKeyChanged)) { try await trust(vault, 1, "[db1]:2222") }
        await #expect(throws: VaultError.ssh(.fingerprintDiffers)) {
            try await vault(Operations.replaceHostKey, db1, keys[1], keys[2].fingerprint, nil, .compared)
        }
        clock.advance(by: 10)
        let expected = Fingerprint(of: keys[1], .md5)
        let replacement = try await vault(Operations.replaceHostKey, db1, keys[1], expected, nil, .compared)
        #expect(replacement.line.source == .compared)
        #expect(replacement.replaced.map(\.key) == [keys[0]])
        #expect(try await vault(Operations.knownHosts, [db1]).map(\.key) == [keys[1]])
        #expect(try await vault(Operations.hostKeys, db1).count == 2)
        #expect(try await vault(Operations.checkHostKey, keys[0], db1, false).history == replacement.replaced)
        #expect(try await vault(Operations.revokeHostKey, keys[1], nil).isNew)
        guard case .revoked = try await vault(Operations.checkHostKey, keys[1], db1, false).verdict else {
            Issue.record("not revoked")
            return
        }
        await #expect(throws: VaultError.ssh(.hostKeyRevoked)) { try await trust(vault, 1, "db2") }
        #expect(try await vault(Operations.removeHostKeys, db1, nil).count == 1)
        await #expect(throws: VaultError.ssh(.unknownHostKey)) {
            try await vault(Operations.removeHostKeys, db1, nil)
        }
        #expect(try await vault(Operations.checkHostKey, keys[2], db1, false).verdict == .new)
        #expect(try await vault(Operations.restoreHostKeys, db1).map(\.key) == [keys[1]])
        let mark = try #require(
            try await vault(Operations.hostKeys, nil).first { $0.host.marker == .revoked }
        )
        _ = try await vault(Operations.removeHostKey, mark.id)
        #expect(try await vault(Operations.checkHostKey, keys[1], db1, false).verdict.isTrusted)
    }

    @Test(arguments: Backend.allCases)
    func `a file goes in and comes out byte for byte, once`(backend: Backend) async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        let salt = [UInt8](repeating: 7, count: 20)
        let hashed = KnownHost(names: try HostPattern(hashing: host("h1"), salt: salt), key: keys[3])
        var bytes = text([("db1,10.0.0.1", 0), ("[db1]:2222", 1), ("*.example.org", 2)])
        bytes += Array("# a comment\n\n  strange \u{E9} line\r\n@revoked * ".utf8)
        bytes += keys[3].typeAndBase64 + [0x0A] + hashed.line
        let file = KnownHostsFile(bytes)
        let trial = try await vault.importKnownHosts(file, isTrial: true)
        #expect(try await vault(Operations.exportKnownHosts).bytes.isEmpty)
        let report = try await vault.importKnownHosts(file)
        #expect(report == trial)
        #expect(report.added == 5)
        #expect(report.unknown == [6])
        #expect(try await vault(Operations.exportKnownHosts).bytes == bytes)
        let again = try await vault.importKnownHosts(file)
        #expect(!again.isChange)
        #expect(again.known == 5)
        #expect(try await vault(Operations.exportKnownHosts).bytes == bytes)
        for name in ["db1", "[db1]:2222", "10.0.0.1", "a.example.org", "h1", "h2"] {
            let found = try await vault(Operations.knownHosts, [host(name)])
            #expect(found == file.find(try host(name)).map(\.host))
        }
        let lines = try await vault(Operations.hostKeys, nil)
        #expect(lines.map(\.source) == [HostKeySource](repeating: .imported, count: 5))
        #expect(lines.allSatisfy { $0.lastSeen == nil })
    }

    @Test(arguments: Backend.allCases)
    func `that a key was seen is written once a day, and nothing else is`(backend: Backend) async throws {
        let clock = TestClock()
        let alice = try await Person("Alice", clock: clock, backend: backend)
        let file = KnownHostsFile(text([("a,b,c", 0), ("*", 1)]))
        _ = try await alice.vault.importKnownHosts(file)
        func generation() throws -> UInt64 { try alice.store.read { $0.generation } }
        for (key, name) in [(0, "b"), (1, "c")] {
            let before = try generation()
            #expect(
                try await alice.vault(Operations.checkHostKey, keys[key], host(name), false).notNoted == nil
            )
            #expect(try generation() == before)
            for _ in 0..<2 {
                let check = try await alice.vault(Operations.checkHostKey, keys[key], host(name), true)
                #expect(check.notNoted == nil)
            }
            #expect(try generation() == before + 1)
            #expect(
                try await alice.vault(Operations.checkHostKey, keys[key], host(name), false).lines[0].lastSeen
                    == clock.now
            )
            #expect(
                try await alice.vault(Operations.checkHostKey, keys[2], host(name), true).notNoted == nil
            )
            #expect(try generation() == before + 1)
        }
        clock.advance(by: 86_400)
        let before = try generation()
        _ = try await alice.vault(Operations.checkHostKey, keys[0], host("c"), true)
        #expect(try generation() == before + 1)
        #expect(
            try await alice.vault(Operations.hostKeys, nil).map(\.lastSeen) == [
                clock.now, clock.now - 86_400,
            ]
        )
        #expect(try await alice.vault(Operations.exportKnownHosts).bytes == file.bytes)
    }

    @Test(arguments: Backend.allCases)
    func `two processes that trust at once see each other`(backend: Backend) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        let other = alice.secondProcess()
        let outcomes = await withTaskGroup(of: VaultError?.self) { group in
            for number in 0..<8 {
                let vault = number.isMultiple(of: 2) ? alice.vault : other
                group.addTask {
                    await Self.refusal {
                        _ = try await vault.trustHostKey(
                            keys[number % 2],
                            for: HostName(host: "db1"),
                            source: .firstUse
                        )
                        _ = try await vault.trustHostKey(
                            keys[2],
                            for: HostName(host: "h\(number)"),
                            source: .firstUse
                        )
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // One key won; everyone who offered the other one was told.
        #expect(outcomes.count { $0 == .ssh(.hostKeyChanged) } == 4, "\(outcomes)")
        #expect(outcomes.count { $0 == nil } == 4, "\(outcomes)")
        #expect(try await alice.vault(Operations.knownHosts, [host("db1")]).count == 1)
        #expect(try await alice.vault(Operations.exportKnownHosts).lines.count == 5)
    }

    /// What an act was refused with.
    ///
    /// On a machine that is short of time an act may find the store busy: then it is tried again.
    private static func refusal(_ act: () async throws -> Void) async -> VaultError? {
        while true {
            do {
                try await act()
                return nil
            } catch {
                guard let error = error as? VaultError else { return .store(.corrupt) }
                guard error == .store(.busy) else { return error }
            }
        }
    }

    @Test func `names with a port fall back to the bare name, as for ssh`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        try await trust(vault, 0, "db1")
        let name = try host("[db1]:2222")
        let match = try await vault(Operations.checkHostKey, keys[0], name, false)
        #expect(match.verdict.isTrusted)
        #expect(match.check.isWithoutPort)
        #expect(try await vault(Operations.checkHostKey, keys[1], name, false).verdict == .new)
        #expect(try await vault(Operations.knownHosts, [name]).isEmpty)
        _ = try await vault(Operations.revokeHostKey, keys[1], host("db1"))
        guard case .revoked = try await vault(Operations.checkHostKey, keys[1], name, false).verdict else {
            Issue.record("not revoked")
            return
        }
        // Trusted for the very name, it is a line of its own.
        #expect(try await trust(vault, 0, "[db1]:2222").isNew)
    }

    @Test func `an authority of a host is found with it, and is no key of it`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        var bytes = Array("@cert-authority *.example.org ".utf8) + keys[0].typeAndBase64
        bytes += [0x0A] + text([("a.example.org", 1)])
        _ = try await vault.importKnownHosts(KnownHostsFile(bytes))
        let found = try await vault(Operations.knownHosts, [host("a.example.org")])
        #expect(found.map(\.marker) == [.authority, nil])
        // A key of an authority is no key of a host.
        guard
            case .changed = try await vault(Operations.checkHostKey, keys[0], host("a.example.org"), false)
                .verdict
        else {
            Issue.record("an authority is no host")
            return
        }
    }

    @Test(arguments: Backend.allCases)
    func `five thousand hosts are a few hundred records, and each is found`(backend: Backend) async throws {
        let alice = try await Person("Alice", clock: TestClock(), backend: backend)
        let file = KnownHostsFile(text((0..<5000).map { ("host\($0).example.org", $0 % 4) }))
        #expect(try await alice.vault.importKnownHosts(file).added == 5000)
        let records = try alice.store.read { reader throws(StoreError) in
            try reader.list(try RecordKind("ssh.hostkey")).map(\.id)
        }
        #expect(records.count <= 257)
        for number in stride(from: 0, to: 5000, by: 499) {
            let name = try host("host\(number).example.org")
            #expect(
                try await alice.vault(Operations.checkHostKey, keys[number % 4], name, false).verdict
                    .isTrusted
            )
            #expect(try await alice.vault(Operations.hostKeys, name).map(\.id) == [UInt64(number) + 1])
        }
        #expect(try await alice.vault(Operations.exportKnownHosts) == file)
    }

    @Test(arguments: Backend.allCases)
    func `a key behind a second hash is changed until someone decides`(backend: Backend) async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        let name = try host("hh.example.org")
        for key in 0..<2 {
            let salt = [UInt8](repeating: UInt8(key), count: 20)
            let line = KnownHost(names: try HostPattern(hashing: name, salt: salt), key: keys[key])
            _ = try await vault.importKnownHosts(KnownHostsFile(line.line + [0x0A]))
        }
        for _ in 0..<2 {
            guard
                case .changed(let trusted) = try await vault(Operations.checkHostKey, keys[1], name, false)
                    .verdict
            else {
                Issue.record("not changed")
                return
            }
            #expect(trusted.map(\.key) == [keys[0]])
            #expect(try await vault(Operations.knownHosts, [name]).map(\.key) == [keys[0]])
            #expect(try await vault.knownHostsAtOnce(for: [name]).map(\.key) == [keys[0]])
        }
        let lines = try await vault(Operations.hostKeys, name)
        #expect(lines.map(\.isWaiting) == [false, true])
        #expect(lines.map(\.isCurrent) == [true, false])
        await #expect(throws: VaultError.ssh(.hostKeyChanged)) { try await trust(vault, 1, "hh.example.org") }
        #expect(try await trust(vault, 1, "hh.example.org", additional: true).isNew)
        #expect(try await vault.checkHostKeyAtOnce(keys[1], for: name).verdict.isTrusted)
        #expect(try await vault.checkHostKeyAtOnce(keys[0], for: name).verdict.isTrusted)
    }

    @Test func `damaged content is an error, not an empty answer`() async throws {
        let alice = try await Person("Alice", clock: TestClock())
        try await trust(alice.vault, 0, "db1")
        let infos = try alice.store.read { reader throws(StoreError) in
            try reader.list(try RecordKind("ssh.hostkey"))
        }
        for info in infos {
            let body = try alice.store.read { reader throws(StoreError) in try reader.find(info.id)?.body }
            let whole = try #require(body)
            let cut = Secret(try whole.slice(0..<whole.count - 1))
            for draft in [cut, whole] {
                var changes = ChangeSet(floor: try alice.store.read { $0.floor })
                let revision = try alice.store.read { reader throws(StoreError) in
                    try reader.info(info.id)?.revision
                }
                changes.put(RecordDraft(id: info.id, body: draft), expecting: try #require(revision))
                try alice.store.commit(changes)
                guard draft === cut else { continue }
                await #expect(throws: VaultError.ssh(.format(.truncated))) {
                    try await alice.vault(Operations.checkHostKey, keys[0], host("db1"), false)
                }
                await #expect(throws: VaultError.ssh(.format(.truncated))) {
                    try await trust(alice.vault, 1, "db2")
                }
            }
        }
        #expect(try await alice.vault(Operations.checkHostKey, keys[0], host("db1"), false).verdict.isTrusted)
    }

    @Test func `a key that cannot be noted is trusted all the same`() async throws {
        let clock = TestClock()
        let alice = try await Person("Alice", clock: clock)
        try await trust(alice.vault, 0, "db1")
        clock.advance(by: 86_400)
        let faulty = try alice.faulty()
        faulty.fail(atCommit: faulty.commits + 1, .before, with: .readOnly)
        let check = try await alice.vault(Operations.checkHostKey, keys[0], host("db1"), true)
        #expect(check.verdict.isTrusted)
        #expect(check.notNoted == .store(.readOnly))
    }
}
