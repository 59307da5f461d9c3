import AgentProtocol
import Glibc
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
}
