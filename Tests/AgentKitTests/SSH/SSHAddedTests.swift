import SSHFormats
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit

@testable import AgentKit

/// What programs add to the agent: never without the person from another machine, and never so that ssh sees no key.
@Suite struct SSHAddedTests {
    /// How a connection comes to count as one from another machine.
    enum Way: CaseIterable {
        case forwarded, wrongSignature, unreadable
    }

    private static func writing(_ body: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        body(&writer)
        return writer.bytes
    }

    private static func key(_ comment: String) throws -> PrivateKey {
        try .ed25519(comment: Array(comment.utf8), entropy: .system)
    }

    private static func addition(_ key: PrivateKey, comment: [UInt8]? = nil) throws -> [UInt8] {
        let wire = try key.wire().withBytes { $0.copied() }
        return writing { message in
            message.byte(17)
            message.raw(wire)
            message.string(comment ?? key.comment)
        }
    }

    private static func addition(_ key: PrivateKey, _ certificate: PublicKey) throws -> [UInt8] {
        let wire = try key.wire().withBytes { $0.copied() }
        return writing { message in
            message.byte(17)
            message.string(certificate.algorithm.name)
            message.string(certificate.blob)
            message.raw(Array(wire.dropFirst(4 + "ssh-ed25519".utf8.count)))
            message.string(key.comment)
        }
    }

    private static func bind(isForwarding: Bool, isGood: Bool = true) throws -> [UInt8] {
        let (host, session) = (try key("host"), [UInt8](repeating: 7, count: 32))
        let signature = try host.sign(isGood ? session : [1]).wire
        return writing { bind in
            bind.byte(27)
            bind.string("session-bind@openssh.com")
            bind.string(host.publicKey.blob)
            bind.string(session)
            bind.string(signature)
            bind.byte(isForwarding ? 1 : 0)
        }
    }

    private static func bind(_ way: Way) throws -> [UInt8] {
        switch way {
        case .forwarded: try bind(isForwarding: true)
        case .wrongSignature: try bind(isForwarding: false, isGood: false)
        case .unreadable: Array(try bind(isForwarding: false).prefix(60))
        }
    }

    @Test(arguments: Way.allCases)
    func `what another machine adds is asked about each time, and a no adds nothing`(way: Way) async throws {
        let fixture = try SSHFixture(storesAdded: true)
        let client = try fixture.connect()
        let (bind, addition) = (try Self.bind(way), try Self.addition(try Self.key("theirs")))
        #expect(await client.asked(bind) == [way == .forwarded ? 6 : 28])
        fixture.gate.agrees.withLock { $0 = false }
        for count in 1...2 {
            #expect(await client.asked(addition) == [5])
            #expect(fixture.gate.wanted.withLock { $0.count } == count)
        }
        #expect(await fixture.run("ssh-add -l").text == "The agent has no identities.\n")
        fixture.gate.agrees.withLock { $0 = true }
        // The same key again is another question.
        for count in 3...4 {
            #expect(await client.asked(addition) == [6])
            #expect(fixture.gate.wanted.withLock { $0.count } == count)
        }
        #expect(fixture.gate.changes.withLock { $0.isEmpty })
        #expect(await fixture.run("ssh-add -l").text.contains("theirs"))
        #expect(try await fixture.vault.sshKeys().isEmpty)
    }

    @Test func `a program of this machine adds a key without a question`() async throws {
        let fixture = try SSHFixture()
        fixture.gate.agrees.withLock { $0 = false }
        let client = try fixture.connect()
        let (bind, addition) = (try Self.bind(isForwarding: false), try Self.addition(try Self.key("mine")))
        #expect(await client.asked(bind) == [6])
        #expect(await client.asked(addition) == [6])
        #expect(fixture.gate.wanted.withLock { $0.isEmpty })
    }

    @Test func `no added key makes the list unreadable for ssh`() async throws {
        let fixture = try SSHFixture()
        try await fixture.makeKey("work")
        let client = try fixture.connect()
        let key = try Self.key("brought")
        let certificate = try SSHCertificates.make(of: key.publicKey, by: try Self.key("ca"))
        let bad = [
            try Self.addition(key, comment: Array("a\0b".utf8)),
            try Self.addition(key, try SSHCertificates.forged(certificate)),
            try Self.addition(key, comment: [UInt8](repeating: 0x78, count: 200_000)),
        ]
        for message in bad { #expect(await client.asked(message) == [5]) }
        let good = try Self.addition(key, certificate)
        #expect(await client.asked(good) == [6])
        let outcome = await fixture.run("ssh-add -l && ssh-add -L")
        #expect(outcome.status == 0 && outcome.text.contains("work") && outcome.text.contains("-cert-v01@"))
    }

    @Test func `however much is added, the keys of the vault stay in the list`() async throws {
        let fixture = try SSHFixture()
        for number in 0..<100 { try await fixture.makeKey("own-\(number)") }
        let client = try fixture.connect()
        var taken: [PrivateKey] = []
        for number in 0..<200 {
            let key = try Self.key("\(number)" + String(repeating: "x", count: 1_000))
            let addition = try Self.addition(key)
            if await client.asked(addition) == [6] { taken.append(key) }
        }
        #expect(taken.count > 100 && taken.count < 200)
        let outcome = await fixture.run("ssh-add -l | grep -c own-; ssh-add -l | wc -l")
        #expect(outcome.text == "100\n\(taken.count + 100)\n", "\(outcome.text.prefix(400))")
        // One that is there may come again, also shorter: then there is room for another one.
        let first = try #require(taken.first)
        let (again, short) = (try Self.addition(first), try Self.addition(first, comment: []))
        let another = try Self.addition(try Self.key(String(repeating: "y", count: 1_000)))
        #expect(await client.asked(again) == [6])
        #expect(await client.asked(another) == [5])
        #expect(await client.asked(short) == [6])
        #expect(await client.asked(another) == [6])
    }
}
