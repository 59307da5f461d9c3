import Dispatch
import SSHFormats
import Synchronization
import Testing
import VaultCrypto
import VaultKit

@testable import AgentKit

/// A locked vault: who asks waits, and nothing is told.
@Suite struct SSHLockTests {
    private static let list: [UInt8] = [11]
    private static let nothing: [UInt8] = [12, 0, 0, 0, 0]

    @Test func `a list waits until the vault is open`() async throws {
        let fixture = try SSHFixture(isOpen: false)
        try await fixture.makeKey("a")
        let (ring, opened) = (fixture.ring, fixture.opened)
        fixture.source.answer {
            ring.open(opened)
            return true
        }
        #expect(await fixture.run("ssh-add -l").status == 0)
        #expect(fixture.source.asked == 1)
    }

    @Test func `a refused question is an empty list and a failed signature`() async throws {
        let fixture = try SSHFixture(isOpen: false)
        let key = try await fixture.makeKey("a")
        fixture.source.answer { false }
        let client = try fixture.connect()
        #expect(await client.asked(Self.list) == Self.nothing)
        var sign = WireWriter()
        sign.byte(13)
        sign.string(key.blob)
        sign.string("data")
        sign.uint32(0)
        let request = sign.bytes
        #expect(await client.asked(request) == [5])
    }

    @Test func `who waits for too long while passphrases are tried is turned away`() async throws {
        let fixture = try SSHFixture()
        let ring = fixture.ring
        let (right, wrong) = (try secret("right"), try secret("wrong"))
        let (began, goes) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcome = try await apart { () -> [Bool] in
            var found = [ring.lock(with: right)]
            try OwnThread.start("guess") {
                _ = ring.unlock(with: wrong) { _ in
                    began.signal()
                    goes.wait()
                }
                began.signal()
            }
            began.wait()
            found.append(ring.unlock(with: right, within: 1) { _ in })
            goes.signal()
            began.wait()
            found.append(ring.unlock(with: right) { _ in })
            return found
        }
        #expect(outcome == [true, false, true])
    }

    @Test func `published keys are listed without a question`() async throws {
        let key = try PublicKey(
            line: Array(
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f me".utf8
            )
        )
        let fixture = try SSHFixture(isOpen: false, published: [key])
        let outcome = await fixture.run("ssh-add -L")
        #expect(outcome.text.hasSuffix(" me\n"))
        #expect(fixture.source.asked == 0)
    }

    @Test(arguments: [
        (2, true, true, 1), (1, true, true, 0), (2, false, true, 0), (2, true, false, 0),
    ])
    func
        `several published keys are not listed before the vault is open, if a host is named and a person is there`(
            count: Int,
            isBound: Bool,
            hasPerson: Bool,
            questions: Int
        ) async throws
    {
        let keys = try (0..<count).map { number in
            try PrivateKey.ed25519(comment: Array("key \(number)".utf8), entropy: .system).publicKey
        }
        let fixture = try SSHFixture(isOpen: false, published: keys)
        fixture.source.canAsk(hasPerson)
        fixture.source.answer { false }
        let client = try fixture.connect()
        if isBound {
            let (host, session) = (try PrivateKey.ed25519(entropy: .system), [UInt8](repeating: 7, count: 32))
            var bind = WireWriter()
            bind.byte(27)
            bind.string("session-bind@openssh.com")
            bind.string(host.publicKey.blob)
            bind.string(session)
            bind.string(try host.sign(session).wire)
            bind.byte(0)
            let request = bind.bytes
            #expect(await client.asked(request) == [6])
        }
        let listed = try #require(await client.asked(Self.list))
        #expect(listed[4] == (questions == 0 ? UInt8(count) : 0))
        #expect(fixture.source.asked == questions)
    }

    @Test func `a client that hangs up ends the question`() async throws {
        let fixture = try SSHFixture(isOpen: false)
        let client = try fixture.connect()
        fixture.source.whenAsked { client.hangUp() }
        _ = await client.asked(Self.list)
        let second = try fixture.connect()
        fixture.source.answer { false }
        #expect(await second.asked(Self.list) == Self.nothing)
        #expect(fixture.source.asked == 2)
    }

    @Test func `a lock takes the keys away, also those that were added`() async throws {
        let fixture = try SSHFixture()
        try await fixture.makeKey("a")
        #expect(await fixture.run("ssh-keygen -q -t ed25519 -N '' -f id && ssh-add -q id").status == 0)
        #expect(fixture.ring.count == nil || fixture.ring.count == 2)
        fixture.ring.lock()
        fixture.source.answer { false }
        #expect(await fixture.run("ssh-add -l").status == 1)
        fixture.ring.open(fixture.opened)
        #expect(await fixture.run("ssh-add -l | wc -l").text == "1\n")
    }
}
