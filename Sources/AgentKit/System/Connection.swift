internal import Glibc

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
