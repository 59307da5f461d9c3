import Foundation
import HSIP
import RecordStore
import SSHFormats
import Secrets
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit
import VaultPolicy

/// The audit log as those write and read it who have the vault.
struct AuditLogTests {
    @Test func `what was written is read in order and the log is whole`() async throws {
        let house = try LoggedVault()
        try await house.write(20)
        let found = try await house.vault.auditEntries(AuditQuery())
        #expect(found.map(\.sequence) == Array(1...20))
        #expect(found.map(\.entry) == (1...20).map { LoggedVault.entry($0) })
        let report = try await house.vault.checkAudit()
        #expect(report.isWhole)
        #expect(report.count == 20)
    }

    @Test func `a query takes what it names, the newest last`() async throws {
        let house = try LoggedVault()
        let log = try await house.write(10)
        try log.append(LoggedVault.entry(11, .refused))
        try log.append(AuditEntry(.lock, .allowed, time: 12_000, reason: "idle"))
        let vault = house.vault
        #expect(try await vault.auditEntries(AuditQuery(last: 2)).map(\.sequence) == [11, 12])
        #expect(try await vault.auditEntries(AuditQuery(since: 10_000)).map(\.sequence) == [10, 11, 12])
        #expect(try await vault.auditEntries(AuditQuery(kinds: [.lock])).map(\.sequence) == [12])
        #expect(try await vault.auditEntries(AuditQuery(onlyRefused: true)).map(\.sequence) == [11])
        #expect(try await vault.auditEntries(AuditQuery(last: 0)).isEmpty)
    }

    @Test func `several programs write one log`() async throws {
        let house = try LoggedVault()
        let first = try await house.vault.auditLog()
        let second = try await house.second().auditLog()
        for number in 1...10 {
            try first.append(LoggedVault.entry(number))
            try second.append(LoggedVault.entry(number))
        }
        let report = try await house.vault.checkAudit()
        #expect(report.isWhole)
        #expect(report.count == 20)
    }

    @Test func `nothing of an entry can be read in the file, which no one else can open`() async throws {
        let house = try LoggedVault()
        try await house.write(3)
        let bytes = try house.bytes()
        for word in ["db1.example.org", "key-1", "/usr/bin/ssh"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil)
        }
        let modes = try [house.current, house.folder].map {
            try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o600, 0o700])
    }

    @Test func `a text that is too long is cut, not refused`() async throws {
        let house = try LoggedVault()
        let log = try await house.vault.auditLog()
        var entry = LoggedVault.entry(1)
        entry.subject = String(repeating: "ä", count: 10_000)
        try log.append(entry)
        let found = try #require(try await house.vault.auditEntries(AuditQuery()).first)
        #expect(found.entry.subject == String(repeating: "ä", count: 128))
    }

    @Test func `a full file makes room for another, and the oldest goes`() async throws {
        let house = try LoggedVault()
        let log = try await house.vault.auditLog()
        var entry = LoggedVault.entry(1)
        let long = String(repeating: "x", count: 256)
        (entry.subject, entry.target, entry.program, entry.act, entry.reason) = (long, long, long, long, long)
        // 9 files of 4 MiB, and a bit.
        let count = 9 * (4 << 20) / 1_400 + 100
        for _ in 0..<count { try log.append(entry) }
        let files = try FileManager.default.contentsOfDirectory(atPath: house.folder)
        #expect(files.count == 8)
        let report = try await house.vault.checkAudit()
        #expect(report.isWhole)
        #expect(report.last == UInt64(count))
        #expect(report.first ?? 0 > 1)
    }

    @Test func `a vault without a place for a log has none, and says so to who has to write`() async throws {
        let vault = Vault(store: MemoryStore(entropy: .system, now: { 0 }), clock: { 0 })
        await #expect(throws: VaultError.audit(.noPlace)) { try await vault.auditLog() }
        #expect(try await vault.auditEntries(AuditQuery()).isEmpty)
    }

    @Test func `a folder or file that others may change is refused`() async throws {
        let house = try LoggedVault()
        let log = try await house.write(1)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: house.current)
        let other = try await house.second().auditLog()
        #expect(throws: AuditError.unsafePlace(path: house.current)) {
            try other.append(LoggedVault.entry(2))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: house.current)
        try log.append(LoggedVault.entry(2))
        #expect(try await house.vault.checkAudit().isWhole)
    }

    @Test func `operations of hsip itself are written before they are done, those that only look are not`()
        async throws
    {
        let house = try LoggedVault()
        let service = house.vault.ownService
        try await house.vault.createIdentity(name: "Alice")
        _ = try await service(Operations.sshKeys, .kept)
        #expect(try await service(Operations.auditEntries, AuditQuery()).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: house.folder))
        _ = try await service(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        _ = try await service(Operations.sshPublicHalf, "work")
        _ = try await service.sshKey("work")
        _ = try await service(Operations.makeOffer, .init(), nil)
        _ = try await service(Operations.addRule, Rule(name: "r", effect: .deny))
        let found = try await service(Operations.auditEntries, AuditQuery()).map(\.entry)
        #expect(found.map(\.kind) == [.change, .read, .use, .rule])
        #expect(found.map(\.subject) == ["work", "work", "", "r"])
        #expect(found.map(\.act) == ["ssh-key.generate", "ssh-key.private", "code.offer", "rule.add"])
        #expect(found.allSatisfy { $0.reason == "inProcess" && $0.process == getpid() })
    }

    @Test func `what a program finds out in its own process is in the log as over an agent`() async throws {
        let house = try LoggedVault()
        let guess = CredentialCondition.holds(field: nil, try Secret(copying: [1, 2, 3]))
        for service in [house.vault.service, house.vault.ownService] {
            await #expect(throws: VaultError.secret(.unknownName)) {
                _ = try await service(Operations.removeCredential, "pin", guess)
            }
        }
        let found = try await house.vault.auditEntries(AuditQuery()).map(\.entry)
        // hsip is asked nothing by its person: for any other program it is a read.
        #expect(found.map(\.kind) == [.read, .change, .change])
        #expect(found.allSatisfy { $0.subject == "pin" && $0.act == "secret.remove" })
    }

    @Test func `without an agent an act is in the log before it is done, with the path of the program`()
        async throws
    {
        let house = try LoggedVault()
        let service = house.vault.service
        await #expect(throws: VaultError.ssh(.unknownKey)) { _ = try await service.sshKey("none") }
        let found = try await service(Operations.auditEntries, AuditQuery())
        #expect(found.map(\.entry.subject) == ["none"])
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(found.first?.entry.program == program)
    }

    @Test func `a rule that cannot be written down is not made`() async throws {
        let house = try LoggedVault()
        let service = house.vault.service
        try FileManager.default.createDirectory(atPath: house.folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: house.folder)
        let rule = Rule(name: "r", effect: .deny)
        let error = await #expect(throws: VaultError.self) { try await service(Operations.addRule, rule) }
        #expect(error == .audit(.unsafePlace(path: house.folder)))
        #expect(try await service(Operations.rules).isEmpty)
    }

    @Test func `what cannot be written down is done but for what decides later, and that is said`()
        async throws
    {
        let house = try LoggedVault()
        _ = try await house.vault.service(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: house.folder)
        let said = Mutex<[VaultError]>([])
        let service = Vault(
            store: house.store,
            auditFolder: house.folder,
            unlogged: { error in said.withLock { $0.append(error) } }
        ).service
        let error = VaultError.audit(.unsafePlace(path: house.folder))
        _ = try await service.sshKey("work")
        #expect(said.withLock { $0 } == [error])
        _ = try await service(Operations.removeSSHKey, "work")
        #expect(said.withLock { $0 } == [error, error])
        await #expect(throws: error) { try await service(Operations.addRule, Rule(name: "r", effect: .deny)) }
        #expect(try await service(Operations.rules).isEmpty)
    }
}
