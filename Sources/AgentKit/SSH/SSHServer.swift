internal import CLinux
internal import Glibc
package import SSHFormats
internal import Synchronization

/// The ssh agent: serves connections in the ssh-agent protocol, each on its own thread.
package final class SSHServer: Sendable {
    /// The largest number of clients.
    package static let maximumConnections = 256
    /// The largest number of clients of one process: a forwarding ssh speaks for a whole machine.
    package static let maximumPerProcess = 64
    /// The largest number of clients that speak for other machines; the rest is reserved for this machine.
    package static let maximumForwarded = 128
    /// The milliseconds for the rest of a message, and for a client to read a response.
    static let patience: Int32 = 30_000

    let ring: KeyRing
    let source: any SSHVaultSource
    let gate: any SSHGate
    /// Returns the published public keys, which are listed even while the vault is locked.
    let published: @Sendable () -> [PublicKey]
    /// Makes security keys sign.
    let securityKeys: SecurityKeySigner
    /// Whether keys that `ssh-add` sends go into the vault, instead of being kept until it locks.
    let storesAdded: Bool
    let stop: Cancellation
    private let quota: MemoryQuota
    private let forwarded = Mutex(0)

    /// Creates a server; `stop` ends the waits of its connections.
    package init(
        ring: KeyRing,
        source: any SSHVaultSource,
        gate: any SSHGate,
        published: @escaping @Sendable () -> [PublicKey] = { [] },
        storesAdded: Bool = false,
        securityKeys: SecurityKeySigner = SecurityKeySigner(),
        quota: MemoryQuota = MemoryQuota(),
        stop: Cancellation
    ) {
        self.ring = ring
        self.source = source
        self.gate = gate
        self.published = published
        self.storesAdded = storesAdded
        self.securityKeys = securityKeys
        self.quota = quota
        self.stop = stop
    }

    /// Whether a user may connect: the owner of this process, and root, as in OpenSSH.
    package static func mayConnect(_ peer: Peer) -> Bool {
        peer.uid == geteuid() || peer.uid == 0
    }

    /// Serves one client until it disconnects, or violates the protocol.
    package func serve(_ connection: Connection) {
        guard var reader = try? SSHAgentFrameReader() else { return }
        var session = SSHSession(self, connection)
        limitSending(connection.socket)
        var share: MemoryQuota.Share?
        var isForwarded = false
        defer { if isForwarded { forwarded.withLock { $0 -= 1 } } }
        while true {
            do throws(SSHFormatError) {
                while let frame = try reader.next(reserving: { (bytes) throws(SSHFormatError) in
                    share = quota.share(bytes)
                    guard share != nil else { throw .outOfMemory }
                }) {
                    if !reader.isPartial { connection.peer.identify(on: connection.socket) }
                    let answer = session.answer(frame)
                    if session.isForwarded, !isForwarded {
                        guard takesForwarded() else { return }
                        isForwarded = true
                    }
                    guard send(answer.frame, to: connection.socket) else { return }
                }
            } catch {
                // If memory is exhausted, the message is refused like any other, but the connection cannot continue.
                if error == .outOfMemory { _ = send(SSHAgentReply.failure.frame, to: connection.socket) }
                return
            }
            if !reader.isPartial { share = nil }
            if reader.isPartial, !arrives(at: connection.socket) { return }
            var writer: Int32 = 0
            let count = unsafe reader.fill {
                unsafe hsip_receive(connection.socket, $0.baseAddress, $0.count, 0, &writer)
            }
            if count > 0 { _ = connection.peer.hears(writer) }
            guard count > 0 || (count < 0 && errno == EINTR) else { return }
        }
    }

    /// Reserves a connection for a client that speaks for another machine; false if none is free.
    private func takesForwarded() -> Bool {
        forwarded.withLock { count in
            guard count < Self.maximumForwarded else { return false }
            count += 1
            return true
        }
    }

    private func limitSending(_ socket: Int32) {
        var time = timeval(tv_sec: Int(Self.patience / 1000), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    private func arrives(at socket: Int32) -> Bool {
        var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while true {
            let count = unsafe poll(&request, 1, Self.patience)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    private func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }
}
