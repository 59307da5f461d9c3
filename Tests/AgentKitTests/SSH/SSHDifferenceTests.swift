import Glibc
import SSHFormats
import Support
import Testing
import VaultCrypto

@testable import AgentKit

/// The same messages to OpenSSH's ssh-agent and to ours.
///
/// Where the answers may differ: a bind that fails is 28 here and 5 in old ssh-agents; `query` is answered here;
/// halves of a key that do not belong together, and an empty list of destinations, are refused here. Never does
/// ours do what ssh-agent refuses.
@Suite struct SSHDifferenceTests {
    /// ssh-agent in the folder of a fixture, ended with it.
    private final class Other {
        let path: String
        private let pid: Int32

        init(_ fixture: SSHFixture) async throws {
            path = fixture.path("other.sock")
            let said = await fixture.run("ssh-agent -a \(path)").text
            let number = said.split(separator: "SSH_AGENT_PID=").dropFirst().first?.prefix { $0.isNumber }
            pid = try #require(number.flatMap { Int32($0) })
        }

        func connect() throws -> SSHClient { try SSHClient(path: path) }

        deinit { kill(pid, SIGTERM) }
    }

    private static func writing(_ body: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        body(&writer)
        return writer.bytes
    }

    private static func addition(_ key: PrivateKey, _ constraints: [UInt8] = []) throws -> [UInt8] {
        let wire = try key.wire().withBytes { $0.copied() }
        return writing { message in
            message.byte(constraints.isEmpty ? 17 : 25)
            message.raw(wire)
            message.string(key.comment)
            message.raw(constraints)
        }
    }

    private static func sign(_ key: PublicKey, _ data: [UInt8], _ flags: UInt32 = 0) -> [UInt8] {
        writing { message in
            message.byte(13)
            message.string(key.blob)
            message.string(data)
            message.uint32(flags)
        }
    }

    private static func named(_ code: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        writing { message in
            message.byte(code)
            message.string(bytes)
        }
    }

    private static func bind(_ host: PrivateKey, _ session: [UInt8], isForwarding: Bool) throws -> [UInt8] {
        let signature = try host.sign(session).wire
        return writing { message in
            message.byte(27)
            message.string("session-bind@openssh.com")
            message.string(host.publicKey.blob)
            message.string(session)
            message.string(signature)
            message.byte(isForwarding ? 1 : 0)
        }
    }

    private static func restriction(_ host: PublicKey) -> [UInt8] {
        func hop(_ name: String, _ key: PublicKey?) -> [UInt8] {
            writing { hop in
                for text in ["", name, ""] { hop.string(text) }
                if let key {
                    hop.string(key.blob)
                    hop.byte(0)
                }
            }
        }
        let way = writing { way in
            way.string(hop("", nil))
            way.string(hop("h", host))
            way.string("")
        }
        return writing { constraint in
            constraint.byte(255)
            constraint.string("restrict-destination-v00@openssh.com")
            constraint.string(writing { $0.string(way) })
        }
    }

    /// Both kinds of no are one.
    private static func kind(_ answer: [UInt8]?) -> UInt8? {
        answer?.first == 28 ? 5 : answer?.first
    }

    /// The answers to a message, ours first; lists of keys with their content.
    private func ask(_ message: [UInt8], _ ours: SSHClient, _ other: SSHClient) async -> ([UInt8]?, [UInt8]?)
    {
        await onOwnThread {
            (ours.ask(message), other.ask(message))
        } while: {
        }
    }

    private static func script() throws -> [[UInt8]] {
        let keys = [
            try PrivateKey.ed25519(comment: Array("one".utf8), entropy: .system),
            try PrivateKey.ecdsa(.p256, comment: Array("two".utf8), entropy: .system),
            try PrivateKey.ecdsa(.p521, comment: [], entropy: .system),
        ]
        let hosts = [try PrivateKey.ed25519(entropy: .system), try PrivateKey.ecdsa(.p384, entropy: .system)]
        let (one, session) = (keys[0].publicKey, [UInt8](repeating: 7, count: 32))
        var script: [[UInt8]] = [[11], [19], [9], [1], [3], [7], [8], [24], [20], [21], [26], [99], [12]]
        script += [named(27, Array("more@example.org".utf8)), [27], [13], [18], [17], [25]]
        for key in keys {
            script += [try addition(key), [11], sign(key.publicKey, [1, 2, 3]), sign(key.publicKey, [], 2)]
        }
        script += [named(18, keys[2].publicKey.blob), named(18, keys[2].publicKey.blob), [11]]
        script += [sign(keys[2].publicKey, [1]), sign(one, session, 255)]
        // Again, with other conditions and a trailing byte or two.
        script += [
            try addition(keys[0], [1, 0, 0, 0, 90]), try addition(keys[0], [1, 0, 0, 0, 90, 1, 0, 0, 0, 9]),
        ]
        script += [try addition(keys[0], [3]), try addition(keys[0], [255]), [11] + [1, 2], [19, 0]]
        // Locked, each kind of request, and unlocked.
        script += [try addition(keys[0]), named(22, [1]), [11], sign(one, [1]), try addition(keys[1]), [19]]
        script += [named(18, one.blob), named(22, [1]), named(23, [2]), named(23, [1]), named(23, [1]), [11]]
        // Destinations: not without a bind, not for other data, not for the wrong host.
        script += [
            try addition(keys[1], restriction(hosts[0].publicKey)), [11], sign(keys[1].publicKey, [1]),
        ]
        script += [try bind(hosts[1], session, isForwarding: true), [11], sign(keys[1].publicKey, [1])]
        script += [
            try bind(hosts[0], session, isForwarding: true), try bind(hosts[1], session, isForwarding: false),
        ]
        script += [
            try bind(hosts[1], [1], isForwarding: false), try bind(hosts[1], [2], isForwarding: false), [11],
        ]
        return script
    }

    @Test func `a script of messages gets the same answers from both`() async throws {
        let fixture = try SSHFixture()
        let other = try await Other(fixture)
        let (ours, client) = (try fixture.connect(), try other.connect())
        for (place, message) in try Self.script().enumerated() {
            let (mine, theirs) = await ask(message, ours, client)
            #expect(Self.kind(mine) == Self.kind(theirs), "message \(place): \(message.prefix(8))")
            if message.first == 11 { #expect(mine == theirs, "list \(place)") }
        }
    }

    @Test func `what ssh-agent refuses of changed messages, ours refuses`() async throws {
        let fixture = try SSHFixture()
        let other = try await Other(fixture)
        let key = try PrivateKey.ed25519(comment: Array("k".utf8), entropy: .system)
        let curve = try PrivateKey.ecdsa(.p256, comment: Array("c".utf8), entropy: .system)
        let host = try PrivateKey.ed25519(entropy: .system)
        let base = [try Self.addition(key), try Self.addition(curve)]
        let session = [UInt8](repeating: 7, count: 32)
        let originals =
            base + [
                Self.sign(key.publicKey, [1, 2, 3]), Self.named(18, key.publicKey.blob),
                try Self.addition(key, [1, 0, 0, 1, 0] + Self.restriction(host.publicKey)),
                try Self.bind(host, session, isForwarding: true),
            ]
        var random = SeededGenerator(seed: 5)
        var yes = 0
        for round in 0..<1_200 {
            var message = originals[round % originals.count]
            for _ in 0...random.number(in: 0...2) {
                let place = random.number(in: 1...message.count - 1)
                switch random.number(in: 0...3) {
                case 0: message = Array(message.prefix(place))
                case 1: message.insert(UInt8(random.number(in: 0...255)), at: place)
                default: message[place] = UInt8(random.number(in: 0...255))
                }
                if message.count < 2 { break }
            }
            // A confirmation would ask someone in ssh-agent.
            let (ours, client) = (try fixture.connect(), try other.connect())
            for prepare in [[19]] + base { _ = await ask(prepare, ours, client) }
            let (mine, theirs) = await ask(message, ours, client)
            let isMine = Self.kind(mine) == 6 || Self.kind(mine) == 14
            if Self.kind(theirs) == 5 {
                #expect(Self.kind(mine) == 5, "round \(round): \(message)")
            } else if !isMine {
                #expect([17, 25].contains(message[0]), "round \(round): \(message)")
            } else {
                yes += 1
                let (here, there) = await ask([11], ours, client)
                #expect(here == there, "round \(round): \(message)")
            }
        }
        #expect(yes > 0)
    }
}
