import AgentProtocol
import Testing

@testable import AgentKit

@Suite struct FrontSeatTests {
    @Test func `one process has the place of the front, until its connections or the process end`()
        async throws
    {
        let folder = try ScratchFolder()
        let seen = await onOwnThread { () -> [Bool] in
            guard let child = try? ConnectedChild(in: folder), let pair = try? SocketPair(),
                let (first, own) = try? (Peer(socket: child.socket), Peer(socket: pair.ours))
            else { return [] }
            let seat = FrontSeat()
            let channels = [child.socket, child.socket, pair.ours].map { FrameChannel(socket: $0) }
            var seen = [seat.take(first, channels[0]), seat.take(first, channels[1])]
            seen.append(seat.take(own, channels[2]))
            seat.leave(channels[0])
            seen.append(seat.take(own, channels[2]))
            // A process that is gone holds nothing, although nobody has read the end of its connection.
            child.end()
            seen.append(seat.take(own, channels[2]))
            seat.leave(channels[2])
            seen.append(seat.isTaken)
            return seen
        } while: {
        }
        #expect(seen == [true, true, false, false, true, false])
    }
}
