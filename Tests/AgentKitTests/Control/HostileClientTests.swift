import AgentProtocol
import Glibc
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit

@testable import AgentKit

/// A client that writes what it likes.
final class FrameClient: Sendable {
    let socket: Int32
    let channel: FrameChannel

    init(_ path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(LocalAddress(path).connect(socket) == 0)
        channel = FrameChannel(socket: socket)
    }

    func send(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    func greet(_ version: Int = Hello.version) throws {
        var hello = Hello(program: "raw")
        hello.protocol = version
        try channel.send([Frame(.request, request: 0, try AgentRequest.hello(hello).encoded())])
    }

    /// Everything that comes until the agent hangs up.
    func rest() -> [Frame] {
        var frames: [Frame] = []
        while let frame = try? channel.next(within: 600_000) { frames.append(frame) }
        return frames
    }

    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

    deinit { close(socket) }
}

@Suite struct HostileClientTests {
    /// A frame by its bytes, whatever they are.
    static func bytes(length: UInt32, kind: UInt8, request: UInt32 = 1, _ body: [UInt8] = []) -> [UInt8] {
        let number = { (value: UInt32) in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        return number(length) + [kind] + number(request) + body
    }

    static let status = Array(#"{"request":"status"}"#.utf8)

    static let bad: [(String, [UInt8])] = [
        ("no length at all", [0, 0, 0, 0]),
        ("a length without a header", bytes(length: 4, kind: 1)),
        ("one byte above the limit of JSON", bytes(length: UInt32(5 + (256 << 10) + 1), kind: 1)),
        ("one byte above the limit of all", [0, 0x20, 0, 6]),
        ("the largest length", [0xFF, 0xFF, 0xFF, 0xFF]),
        ("an unknown kind", bytes(length: 5, kind: 77)),
        ("kind zero", bytes(length: 5, kind: 0)),
        ("a reply", bytes(length: 5, kind: 2)),
        ("a question", bytes(length: 5, kind: 4)),
        ("a cancel with a body", bytes(length: 6, kind: 7, [0])),
        ("no JSON", bytes(length: 8, kind: 1, [1, 2, 3])),
        ("an unknown request", bytes(length: 5 + 15, kind: 1, Array(#"{"request":"x"}"#.utf8))),
        ("JSON too deep", bytes(length: 5 + 600, kind: 1, Array(repeating: UInt8(ascii: "["), count: 600))),
        ("a second hello", bytes(length: 25, kind: 1, request: 0, status)),
        ("a number used twice", bytes(length: 25, kind: 1, status) + bytes(length: 25, kind: 1, status)),
    ]

    @Test(arguments: bad.map(\.0)) func `costs its own connection and no other`(_ name: String) async throws {
        let agent = try TestAgent()
        let bytes = try #require(Self.bad.first { $0.0 == name }).1
        let other = try await apart { try agent.client() }
        let last = try await apart {
            let client = try FrameClient(agent.path)
            try client.greet()
            client.send(bytes)
            return client.rest().last
        }
        #expect(last?.kind == .error && last?.request == 0)
        #expect(try await other.status().isLocked)
    }

    @Test(arguments: [Hello.version - 1, Hello.version + 1])
    func `another version is told so and sent away`(_ version: Int) async throws {
        let agent = try TestAgent()
        let frames = try await apart {
            let client = try FrameClient(agent.path)
            try client.greet(version)
            return client.rest()
        }
        #expect(frames.count == 1)
        #expect(try AgentError(encoded: frames.first?.plain ?? []) == .refused(.otherVersion))
    }

    @Test func `who does not greet is sent away, and so is half a frame`() async throws {
        let agent = try TestAgent()
        let frames = try await apart {
            let silent = try FrameClient(agent.path)
            let client = try FrameClient(agent.path)
            client.send(Self.bytes(length: 25, kind: 1, request: 1, Self.status))
            return silent.rest() + client.rest()
        }
        #expect(frames.map(\.kind) == [.error])
    }

    @Test func `one byte at a time, and two requests in one write, are answered`() async throws {
        let agent = try TestAgent()
        let kinds = try await apart { () -> [UInt32] in
            let client = try FrameClient(agent.path)
            try client.greet()
            for byte in Self.bytes(length: 25, kind: 1, request: 1, Self.status) { client.send([byte]) }
            let two = Self.bytes(length: 25, kind: 1, request: 2, Self.status)
            client.send(two + Self.bytes(length: 25, kind: 1, request: 3, Self.status))
            return try (0..<4).map { _ in try client.channel.next(within: 600_000).request }.sorted()
        }
        #expect(kinds == [0, 1, 2, 3])
    }

    @Test func `a cancel of nothing, an answer to nothing and late secrets do no harm`() async throws {
        let agent = try TestAgent()
        let kind = try await apart { () -> FrameKind in
            let client = try FrameClient(agent.path)
            try client.greet()
            _ = try client.channel.next(within: 600_000)
            client.send(Self.bytes(length: 5, kind: 7, request: 9))
            let no = Array(#"{"answer":"no"}"#.utf8)
            client.send(Self.bytes(length: UInt32(5 + no.count), kind: 5, request: 9, no))
            client.send(Self.bytes(length: 25, kind: 1, request: 10, Self.status))
            _ = try client.channel.next(within: 600_000)
            client.send(Self.bytes(length: 7, kind: 8, request: 10, [1, 2]))
            client.send(Self.bytes(length: 25, kind: 1, request: 11, Self.status))
            return try client.channel.next(within: 600_000).kind
        }
        #expect(kind == .reply)
    }

    @Test(arguments: [FrameKind.bytes, .data]) func `a seventeenth raw frame is too much`(_ kind: FrameKind)
        async throws
    {
        let agent = try TestAgent()
        let last = try await apart {
            let client = try FrameClient(agent.path)
            try client.greet()
            for _ in 0..<17 { client.send(Self.bytes(length: 6, kind: kind.rawValue, [1])) }
            return client.rest().last
        }
        #expect(last?.kind == .error)
    }

    @Test func `a fifth frame of two megabytes is too much`() async throws {
        let agent = try TestAgent()
        let last = try await apart {
            let client = try FrameClient(agent.path)
            try client.greet()
            let body = [UInt8](repeating: 1, count: FrameLimits.bytes)
            for _ in 0..<4 { client.send(Self.bytes(length: UInt32(5 + body.count), kind: 9, body)) }
            client.send(Self.bytes(length: UInt32(5 + body.count), kind: 9))
            return client.rest().last
        }
        #expect(last?.kind == .error)
    }

    @Test func `who hangs up during a question leaves it to the next one`() async throws {
        let agent = try TestAgent()
        let client = try await apart { () -> FrameClient in
            let client = try FrameClient(agent.path)
            var hello = Hello(program: "raw", asks: .terminal)
            hello.protocol = Hello.version
            try client.channel.send([
                Frame(.request, request: 0, try AgentRequest.hello(hello).encoded())
            ])
            let unlock = AgentRequest.unlock(Unlocking(.ask))
            try client.channel.send([Frame(.request, request: 1, try unlock.encoded())])
            _ = try client.channel.next(within: 600_000)
            #expect(try client.channel.next(within: 600_000).kind == .question)
            return client
        }
        let caller = TestCaller([.passphrase(try secret(passphrase))])
        let next = CarriedService(try await apart { try agent.client(.terminal, asking: caller) })
        let contacts = Task { try await next(Operations.contacts, .kept) }
        client.hangUp()
        await #expect(throws: VaultError.noIdentity) { try await contacts.value }
        #expect(caller.questions.withLock { $0.count } == 1)
    }

    @Test func `a cancel ends its request and not the connection, and what comes after it does no harm`()
        async throws
    {
        let agent = try TestAgent()
        let (error, last) = try await apart { () -> (AgentError, Frame) in
            let client = try FrameClient(agent.path)
            let hello = AgentRequest.hello(Hello(program: "raw", asks: .terminal))
            try client.channel.send([Frame(.request, request: 0, try hello.encoded())])
            let unlock = AgentRequest.unlock(Unlocking(.ask))
            try client.channel.send([Frame(.request, request: 1, try unlock.encoded())])
            _ = try client.channel.next(within: 600_000)
            #expect(try client.channel.next(within: 600_000).kind == .question)
            try client.channel.send([Frame(.cancel, request: 1)])
            let error = try AgentError(encoded: try client.channel.next(within: 600_000).plain)
            let answer = AnswerText(answer: .passphrase)
            try client.channel.send([
                Frame(secret: try secret(passphrase), request: 1),
                Frame(.answer, request: 1, try answer.encoded()),
                Frame(.cancel, request: 1),
                Frame(.request, request: 2, Self.status),
            ])
            return (error, try client.channel.next(within: 600_000))
        }
        #expect(error == .refused(.cancelled))
        #expect(last.kind == .reply && last.request == 2)
        #expect(agent.core.isLocked)
    }

    @Test(arguments: [true, false])
    func `many programs with a connection each leave the last places to our own command line`(isOwn: Bool)
        async throws
    {
        let agent = try TestAgent(isOwn: isOwn)
        try await apart {
            let clients = try (0..<FrameLimits.connections - FrameLimits.ownConnections).map { _ in
                try agent.client()
            }
            if isOwn {
                _ = try agent.client()
            } else {
                #expect(throws: AgentError.refused(.crowded)) { try agent.client() }
            }
            withExtendedLifetime(clients) {}
        }
    }

    @Test func `a client beyond the limit hears that the agent is busy, and the others are served`()
        async throws
    {
        let agent = try TestAgent(limit: 8)
        try await apart {
            let clients = try (0..<8).map { _ in
                let client = try FrameClient(agent.path)
                try client.greet()
                _ = try client.channel.next(within: 600_000)
                return client
            }
            for _ in 0..<200 { #expect(throws: AgentError.refused(.crowded)) { try agent.client() } }
            for client in clients {
                client.send(Self.bytes(length: 25, kind: 1, request: 1, Self.status))
                #expect(try client.channel.next(within: 600_000).kind == .reply)
            }
        }
    }
}
