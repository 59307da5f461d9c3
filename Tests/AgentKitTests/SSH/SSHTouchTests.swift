import Glibc
import SSHFormats
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit

@testable import AgentKit

/// A key in a security key over the agent's socket, with programs in the place of `ssh-sk-helper` that fail.
@Suite struct SSHTouchTests {
    /// Where the helper is, which is known only with the fixture's folder.
    private final class Place: Sendable {
        let path = Mutex<String?>(nil)
    }

    /// A vault with such a key, and a helper that is this script of the shell; nil for no helper.
    private func fixture(_ script: String?) async throws -> (SSHFixture, PublicKey) {
        let place = Place()
        let fixture = try SSHFixture(securityKeys: SecurityKeySigner { place.path.withLock { $0 } })
        let path = fixture.path("helper")
        if let script {
            let text = "cat > helper <<'END'\n#!/bin/sh\ncat >/dev/null\n\(script)\nEND\nchmod 700 helper"
            #expect(await fixture.run(text).status == 0)
            place.path.withLock { $0 = path }
        }
        let key = try Self.handle([9])
        _ = try await fixture.vault.importSSHKeys([
            KeyImport(KeyRecord(key, origin: .openSSH), named: "ring")
        ])
        return (fixture, key.publicKey)
    }

    private static func handle(_ seed: [UInt8]) throws -> PrivateKey {
        var point = WireReader(try PrivateKey.ed25519(entropy: .seeded(seed)).publicKey.blob)
        _ = try point.string()
        var wire = WireWriter()
        wire.string("sk-ssh-ed25519@openssh.com")
        wire.string(try point.string())
        wire.string("ssh:")
        wire.byte(1)
        wire.string([UInt8](repeating: 0xAB, count: 64))
        wire.string("")
        return try PrivateKey(wire: try Secret(copying: wire.bytes), publicKey: nil)
    }

    /// What `ssh-add` sends for a handle.
    private static func addition(_ key: PrivateKey, by provider: String) throws -> [UInt8] {
        var body = WireWriter()
        body.byte(25)
        body.raw(try key.wire().withBytes { $0.copied() })
        body.string("added")
        body.byte(255)
        body.string("sk-provider@openssh.com")
        body.string(provider)
        return body.bytes
    }

    private static func request(_ key: PublicKey) -> [UInt8] {
        var body = WireWriter()
        body.byte(13)
        body.string(key.blob)
        body.string([1, 2, 3])
        body.uint32(0)
        return body.bytes
    }

    @Test(arguments: [
        (nil, SecurityKeyFault.noHelper), ("exit 1", .answerless),
        ("printf '\\0\\0\\0\\5nonsense'", .answerless), ("printf '\\377\\377\\377\\377'", .answerless),
        ("printf '\\0\\0\\0\\011\\5\\0\\0\\0\\0\\0\\0\\0\\074'", .noKey),
        ("printf '\\0\\0\\0\\011\\5\\0\\0\\0\\0\\0\\0\\0\\053'", .pinNeeded),
    ])
    func `a helper that fails signs nothing, and the log says why`(
        script: String?,
        fault: SecurityKeyFault
    ) async throws {
        let (fixture, key) = try await fixture(script)
        #expect(await fixture.run("ssh-add -L").text.contains("sk-ssh-ed25519@openssh.com"))
        let client = try fixture.connect()
        #expect(await client.asked(Self.request(key)) == [5])
        #expect(fixture.gate.faults.withLock { $0 } == [fault])
        #expect(fixture.gate.asked.count == 1 && fixture.source.uses == 0)
    }

    @Test func `a handle that a program adds is used until it is taken out or the vault locks`() async throws
    {
        let (fixture, _) = try await fixture("echo x >>\"${0%/*}/started\"")
        let key = try Self.handle([8])
        let client = try fixture.connect()
        #expect(try await client.asked(Self.addition(key, by: "/tmp/key.so")) == [5])
        #expect(await client.asked(Self.request(key.publicKey)) == [5])
        #expect(try await client.asked(Self.addition(key, by: "internal")) == [6])
        #expect(await client.asked(Self.request(key.publicKey)) == [5])
        #expect(fixture.gate.faults.withLock { $0 } == [.answerless])
        // Taken out, and added again, and gone with the lock.
        #expect(await client.asked([19]) == [6])
        #expect(await client.asked(Self.request(key.publicKey)) == [5])
        #expect(try await client.asked(Self.addition(key, by: "internal")) == [6])
        fixture.ring.lock()
        fixture.ring.open(fixture.opened)
        #expect(await client.asked(Self.request(key.publicKey)) == [5])
        #expect(await fixture.run("cat started").text == "x\n")
    }

    @Test func `without a yes of the gate no helper is started`() async throws {
        let (fixture, key) = try await fixture("touch \"${0%/*}/started\"")
        fixture.gate.decide { _ in false }
        let client = try fixture.connect()
        #expect(await client.asked(Self.request(key)) == [5])
        #expect(await fixture.run("[ -e started ]").status != 0)
        #expect(fixture.gate.faults.withLock { $0 }.isEmpty)
    }

    @Test func `who hangs up ends the wait, and the helper with it`() async throws {
        let (fixture, key) = try await fixture("echo $$ > \"${0%/*}/number\"; exec sleep 1000")
        let client = try fixture.connect()
        client.send(SSHClient.frame(Self.request(key)))
        #expect(await fixture.run("until [ -s number ]; do sleep 0.01; done").status == 0)
        client.hangUp()
        #expect(await fixture.run("while kill -0 $(cat number); do sleep 0.01; done").status == 0)
        #expect(await fixture.run("ssh-add -l").status == 0)
        while fixture.gate.faults.withLock({ $0 }).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(fixture.gate.faults.withLock { $0 } == [.cancelled])
    }
}
