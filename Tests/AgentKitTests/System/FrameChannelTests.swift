import AgentProtocol
import Glibc
import Synchronization
import Testing
import VaultCrypto

@testable import AgentKit

@Suite struct FrameChannelTests {
    @Test func `secrets and data arrive in their order, also through a socket that takes little at a time`()
        async throws
    {
        let pair = try SocketPair()
        var size: Int32 = 4_096
        #expect(unsafe setsockopt(pair.ours, SOL_SOCKET, SO_SNDBUF, &size, 4) == 0)
        let bytes = { (count: Int, step: Int) in (0..<count).map { UInt8(truncatingIfNeeded: $0 * step) } }
        let (data, more, large, small) = (bytes(100_000, 3), bytes(70_000, 5), bytes(50_000, 7), bytes(3, 1))
        let frames = [
            Frame(.data, request: 9, data),
            Frame(secret: try Secret(copying: large), request: 9),
            Frame(secret: try Secret(copying: small), request: 9),
            Frame(.data, request: 9, more),
            Frame(.request, request: 9),
        ]
        let (ours, theirs) = (pair.ours, pair.theirs)
        try OwnThread.start("send") {
            // The reader hears of a failure by the end of the connection.
            if (try? FrameChannel(socket: ours).send(frames)) == nil { shutdown(ours, Int32(SHUT_RDWR)) }
        }
        let heard = await onOwnThread {
            let channel = FrameChannel(socket: theirs)
            return (0..<frames.count).compactMap { _ in try? channel.next() }
        } while: {
        }
        #expect(heard.map(\.kind) == [.data, .bytes, .bytes, .data, .request])
        #expect(heard.map(\.plain) == [data, [], [], more, []])
        let secrets = heard.compactMap { frame in
            if case .secret(let secret) = frame.body { secret.withBytes { $0.copied() } } else { nil }
        }
        #expect(secrets == [large, small])
        withExtendedLifetime(pair) {}
    }

    @Test func `a channel that broke off within a secret sends nothing more`() throws {
        let pair = try SocketPair()
        var size: Int32 = 4_096
        #expect(unsafe setsockopt(pair.ours, SOL_SOCKET, SO_SNDBUF, &size, 4) == 0)
        let secret = try Secret(copying: [UInt8](repeating: 7, count: 1 << 20))
        let channel = FrameChannel(socket: pair.ours, patience: 1)
        #expect(throws: FrameError.timeout) { try channel.send([Frame(secret: secret, request: 9)]) }
        // The other side takes what there is, so that there is room again.
        var room = [UInt8](repeating: 0, count: 1 << 20)
        var count = 0
        while true {
            let more = unsafe recv(pair.theirs, &room, room.count, Int32(MSG_DONTWAIT))
            guard more > 0 else { break }
            count += more
        }
        #expect(count > FrameHeader.size && count < 1 << 20)
        #expect(throws: FrameError.closed) { try channel.send([Frame(.request, request: 10)]) }
        #expect(unsafe recv(pair.theirs, &room, room.count, Int32(MSG_DONTWAIT)) == -1)
        withExtendedLifetime(pair) {}
    }

    @Test func `a send says that it is about to wait, for room and for another send`() async throws {
        let pair = try SocketPair()
        let (stalled, again) = (try Cancellation(), try Cancellation())
        let count = Atomic(0)
        let channel = FrameChannel(
            socket: pair.ours,
            stalls: {
                let isFirst = count.add(1, ordering: .relaxed).oldValue == 0
                (isFirst ? stalled : again).cancel()
            }
        )
        let large = Frame(.data, request: 1, [UInt8](repeating: 7, count: 1 << 20))
        async let first: Void = apart { try channel.send([large]) }
        _ = try await apart { stalled.wait(for: -1) }
        async let second: Void = apart { try channel.send([Frame(.request, request: 2)]) }
        _ = try await apart { again.wait(for: -1) }
        let other = FrameChannel(socket: pair.theirs)
        let heard = try await apart { [try other.next(), try other.next()] }
        try await first
        try await second
        #expect(heard.map(\.request) == [1, 2])
        withExtendedLifetime(pair) {}
    }
}
