import Glibc
import Testing

@testable import AgentKit

@Suite struct CancellationTests {
    @Test func `nothing is cancelled before someone says so`() throws {
        let cancellation = try Cancellation()
        #expect(!cancellation.isCancelled)
        #expect(cancellation.wait(for: -1, milliseconds: 0) == .timedOut)
    }

    @Test func `what is cancelled stays so, and its descriptor can be polled`() throws {
        let cancellation = try Cancellation()
        cancellation.cancel()
        cancellation.cancel()
        #expect(cancellation.isCancelled)
        var request = pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&request, 1, 0) == 1)
        #expect(cancellation.wait(for: -1) == .cancelled)
    }

    @Test func `a child is over with its parent, and not the other way round`() throws {
        let parent = try Cancellation()
        let child = try Cancellation(under: [parent])
        let other = try Cancellation(under: [parent])
        child.cancel()
        #expect(!parent.isCancelled && !other.isCancelled)
        parent.cancel()
        #expect(other.isCancelled)
    }

    @Test func `a client that hangs up ends the interest, one that only writes does not`() throws {
        let pair = try SocketPair()
        let cancellation = try Cancellation(peer: pair.ours)
        #expect(pair.send([1, 2, 3]))
        #expect(!cancellation.isCancelled)
        pair.closeTheirs()
        #expect(cancellation.isCancelled)
    }

    @Test func `cancelling wakes a thread that waits`() async throws {
        let cancellation = try Cancellation()
        let waited = await onOwnThread {
            cancellation.wait(for: -1, milliseconds: 60_000)
        } while: {
            cancellation.cancel()
        }
        #expect(waited == .cancelled)
    }

    @Test func `a task's result and its error come back to the thread that waits for it`() async throws {
        let sum = await onOwnThread {
            Blocking.wait { 20 + 22 }
        } while: {
        }
        #expect(sum == 42)
        let error = await onOwnThread { () -> SystemError? in
            do throws(SystemError) {
                try Blocking.wait { () async throws(SystemError) in throw .pathTooLong(path: "x") }
                return nil
            } catch {
                return error
            }
        } while: {
        }
        #expect(error == .pathTooLong(path: "x"))
    }
}
