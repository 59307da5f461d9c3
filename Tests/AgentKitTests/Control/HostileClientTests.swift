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
        try channel.send(hello.frames(.request))
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

    /// A message as it travels, without its frame.
    static func body(_ message: some Encodable) -> [UInt8] {
        (try? Frame.message(.request, request: 1, message))?.last?.plain ?? []
    }

    static func status(_ request: UInt32) -> [UInt8] {
        let body = body(AgentRequest.status)
        return bytes(length: UInt32(5 + body.count), kind: 1, request: request, body)
    }

    static let json = Array(#"{"status":{}}"#.utf8)

    static let bad: [(String, [UInt8])] = [
        ("no length at all", [0, 0, 0, 0]),
        ("a length without a header", bytes(length: 4, kind: 1)),
        ("one byte above the limit of a message", bytes(length: UInt32(5 + (256 << 10) + 1), kind: 1)),
        ("one byte above the limit of all", [0, 0x20, 0, 6]),
        ("the largest length", [0xFF, 0xFF, 0xFF, 0xFF]),
        ("an unknown kind", bytes(length: 5, kind: 77)),
        ("kind zero", bytes(length: 5, kind: 0)),
        ("a reply", bytes(length: 5, kind: 2)),
        ("a question", bytes(length: 5, kind: 4)),
        ("a cancel with a body", bytes(length: 6, kind: 7, [0])),
        ("no message", bytes(length: 8, kind: 1, [1, 2, 3])),
        ("JSON", bytes(length: 5 + 13, kind: 1, json)),
        ("an unknown request", bytes(length: 5 + 4, kind: 1, [0xA1, 0x61, 0x78, 0xA0])),
        ("lists too deep", bytes(length: 5 + 600, kind: 1, Array(repeating: 0x81, count: 600))),
        (
            "too many values",
            bytes(length: 5 + 5_003, kind: 1, [0x99, 0x13, 0x88] + [UInt8](repeating: 0, count: 5_000))
        ),
        ("a second hello", bytes(length: 5 + 13, kind: 1, request: 0, json)),
        ("a number used twice", status(1) + status(1)),
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
        #expect(try frames.first?.message(AgentError.self) == .refused(.otherVersion))
    }

    @Test func `who does not greet is sent away, and so is half a frame`() async throws {
        let agent = try TestAgent()
        let frames = try await apart {
            let silent = try FrameClient(agent.path)
            let client = try FrameClient(agent.path)
            client.send(Self.status(1))
            return silent.rest() + client.rest()
        }
        #expect(frames.map(\.kind) == [.error])
    }

    @Test func `one byte at a time, and two requests in one write, are answered`() async throws {
        let agent = try TestAgent()
        let kinds = try await apart { () -> [UInt32] in
            let client = try FrameClient(agent.path)
            try client.greet()
            for byte in Self.status(1) { client.send([byte]) }
            client.send(Self.status(2) + Self.status(3))
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
            let no = Self.body(Answer.no)
            client.send(Self.bytes(length: UInt32(5 + no.count), kind: 5, request: 9, no))
            client.send(Self.status(10))
            _ = try client.channel.next(within: 600_000)
            client.send(Self.bytes(length: 7, kind: 8, request: 10, [1, 2]))
            client.send(Self.status(11))
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
            try client.channel.send(Hello(program: "raw", asks: .terminal).frames(.request))
            try client.channel.send(Frame.message(.request, request: 1, AgentRequest.unlock(source: .ask)))
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
            try client.channel.send(Hello(program: "raw", asks: .terminal).frames(.request))
            try client.channel.send(Frame.message(.request, request: 1, AgentRequest.unlock(source: .ask)))
            _ = try client.channel.next(within: 600_000)
            #expect(try client.channel.next(within: 600_000).kind == .question)
            try client.channel.send([Frame(.cancel, request: 1)])
            let error = try client.channel.next(within: 600_000).message(AgentError.self)
            let answer = try Frame.message(.answer, request: 1, Answer.passphrase(try secret(passphrase)))
            try client.channel.send(answer + [Frame(.cancel, request: 1)])
            client.send(Self.status(2))
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
                client.send(Self.status(1))
                #expect(try client.channel.next(within: 600_000).kind == .reply)
            }
        }
    }
}
