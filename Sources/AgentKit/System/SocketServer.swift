internal import Glibc
internal import Synchronization

/// Accepts the clients of one socket and gives each a thread of its own.
package final class SocketServer: Sendable {
    private struct Open {
        var next = 0
        var connections: [Int: Connection] = [:]
    }

    private let name: String
    private let listener: Listener
    private let limit: Int
    private let limitPerProcess: Int
    /// The last places, which only a process without any gets.
    private let reserved: Int
    private let mayConnect: @Sendable (Peer) -> Bool
    private let turnedAway: @Sendable (Connection) -> Void
    private let serve: @Sendable (Connection) -> Void
    private let open = Mutex(Open())

    /// A server of one socket, which accepts once it runs.
    ///
    /// - Parameters:
    ///   - name: of its threads.
    ///   - listener: the socket.
    ///   - limit: clients at a time; those above are closed as soon as they come.
    ///   - limitPerProcess: those of one process; nil for no limit of its own. Where it is lower, the last quarter of all
    ///     places is for processes that have none yet.
    ///   - mayConnect: others are closed at once: another user's programs.
    ///   - turnedAway: may say why to a client above the limits, without waiting for it; it is closed
    ///     afterwards.
    ///   - serve: one client, to its end, on its own thread.
    package init(
        name: String,
        listener: Listener,
        limit: Int,
        limitPerProcess: Int? = nil,
        mayConnect: @escaping @Sendable (Peer) -> Bool = { $0.uid == geteuid() },
        turnedAway: @escaping @Sendable (Connection) -> Void = { _ in },
        serve: @escaping @Sendable (Connection) -> Void
    ) {
        self.name = name
        self.listener = listener
        self.limit = limit
        self.limitPerProcess = limitPerProcess ?? limit
        reserved = self.limitPerProcess < limit ? limit / 4 : 0
        self.mayConnect = mayConnect
        self.turnedAway = turnedAway
        self.serve = serve
    }

    /// Clients there are at the moment.
    package var count: Int { open.withLock { $0.connections.count } }

    /// Accepts until `stop`; the clients that are connected stay.
    package func run(until stop: Cancellation) {
        while stop.wait(for: listener.descriptor) == .ready {
            let socket = listener.accept()
            if socket >= 0 {
                take(socket)
            } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                // Nothing can be accepted until a client leaves: look again in a while, without spinning.
                _ = stop.wait(for: -1, milliseconds: 100)
            } else if errno != EINTR, errno != EAGAIN, errno != ECONNABORTED {
                return
            }
        }
    }

    private func take(_ socket: Int32) {
        guard let connection = try? Connection(socket: socket), mayConnect(connection.peer) else { return }
        guard let place = enter(connection) else { return turnedAway(connection) }
        do {
            try OwnThread.start(name) { [self] in
                serve(connection)
                leave(place)
            }
        } catch {
            leave(place)
        }
    }

    private func enter(_ connection: Connection) -> Int? {
        open.withLock { open in
            let pid = connection.peer.pid
            let own = open.connections.values.count { $0.peer.pid == pid }
            guard own < limitPerProcess, open.connections.count < (own == 0 ? limit : limit - reserved) else {
                return nil
            }
            open.next += 1
            open.connections[open.next] = connection
            return open.next
        }
    }

    private func leave(_ place: Int) {
        // The last reference may close the socket, which is done outside of the lock.
        let gone = open.withLock { $0.connections.removeValue(forKey: place) }
        gone?.hangUp()
    }

    /// Hangs up on every client; their threads end as soon as they notice.
    package func hangUpAll() {
        let all = open.withLock { Array($0.connections.values) }
        for connection in all { connection.hangUp() }
    }
}

/// One client of a socket: the descriptor, closed once, and who is at its other end.
package final class Connection: Sendable {
    /// Read and written by the connection's own thread; never closed by others.
    package let socket: Int32
    package let peer: Peer

    /// Takes over a connected socket.
    ///
    /// - Throws: `failed` if the kernel does not say who connected; the socket is closed then.
    package init(socket: Int32) throws(SystemError) {
        do throws(SystemError) {
            peer = try Peer(socket: socket)
        } catch {
            close(socket)
            throw error
        }
        self.socket = socket
    }

    /// Makes every read and write from now on end at once, from any thread.
    package func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

    deinit { close(socket) }
}
