internal import SSHFormats
internal import VaultKit
internal import VaultPolicy

/// One connection of ssh or another program: its bindings, and the responses to its requests.
struct SSHSession {
    /// The seconds for which a connection caches what it read from the vault; a new connection always reads.
    private static let cacheLifetime: UInt64 = 1

    let server: SSHServer
    let connection: Connection
    private(set) var bindings = SessionBindings()
    var snapshot: KeyRing.Snapshot?
    private var looked: UInt64 = 0
    /// The facts about the hosts of `bindings`, according to `snapshot`.
    var hosts: [HostFacts] = []
    var interest: Cancellation?

    init(_ server: SSHServer, _ connection: Connection) {
        self.server = server
        self.connection = connection
    }

    /// Returns the response to a message.
    ///
    /// Every refusal has the same byte; the log has the reason.
    mutating func answer(_ frame: SSHAgentFrame) -> SSHAgentReply {
        guard let request = try? SSHAgentRequest(frame) else { return .failure }
        switch request {
        case .bind(let bind): return self.bind(bind)
        case .unreadableBind:
            bindings.fail()
            return .extensionFailure
        case .forgetOld: return .success
        case .list: return list()
        case .unlock, .lock, .remove, .removeAll:
            // Another machine must not lock, unlock or remove the keys of this machine.
            guard !bindings.isForwarded else { return .failure }
            return answerLocally(request)
        case .query, .sign, .add, .unsupported:
            // While locked by a passphrase, it does not even list its extensions.
            guard !server.ring.isPassphraseLocked else { return .failure }
            return answerUnlocked(request)
        }
    }

    private mutating func answerLocally(_ request: SSHAgentRequest) -> SSHAgentReply {
        let ring = server.ring
        switch request {
        case .unlock(let passphrase):
            // Disconnecting does not shorten the wait: the next guess waits for this one.
            return reply(ring.unlock(with: passphrase) { _ = server.stop.wait(for: -1, milliseconds: $0) })
        case .lock(let passphrase): return reply(ring.lock(with: passphrase))
        case .remove(let blob):
            return reply(!ring.isPassphraseLocked && isShown(blob) && remove(blob))
        case .removeAll:
            guard !ring.isPassphraseLocked else { return .failure }
            _ = look(opening: false)
            // Removing keys does not depend on the log, and is never refused; it is logged if possible.
            if let count = ring.count { _ = server.gate.records(.removeAll(count: count), for: connection) }
            return reply(ring.removeAll())
        default: return .failure
        }
    }

    private mutating func answerUnlocked(_ request: SSHAgentRequest) -> SSHAgentReply {
        switch request {
        case .query: return .extensions(SSHAgentRequest.extensions)
        case .sign(let key, let data, let flags): return sign(key, data, flags)
        case .add(let addition):
            guard let snapshot = look(opening: true), take(addition, in: snapshot) else { return .failure }
            looked = 0
            return .success
        default: return .failure
        }
    }

    private func remove(_ blob: [UInt8]) -> Bool {
        if let facts = server.ring.offer(of: blob)?.key.facts {
            let change = RingChange.remove(name: facts.name, fingerprint: facts.fingerprint)
            _ = server.gate.records(change, for: connection)
        }
        return server.ring.remove(blob)
    }

    private func reply(_ isDone: Bool) -> SSHAgentReply { isDone ? .success : .failure }

    /// Whether the request comes from another machine, or could.
    var isForwarded: Bool { bindings.isForwarded }

    // MARK: Hosts

    /// Bindings are verified and stored even while the vault is locked, so that a request from another machine never
    /// looks like a local one.
    private mutating func bind(_ bind: SessionBind) -> SSHAgentReply {
        guard (try? bindings.add(bind)) != nil else { return .extensionFailure }
        hosts = []
        guard server.ring.isOpen, look(opening: false) != nil else { return .success }
        guard let host = barredHost else { return .success }
        server.gate.noteRefusal(of: host, for: connection)
        return .extensionFailure
    }

    /// The first host on the way whose key is revoked or changed in the vault.
    var barredHost: HostFacts? {
        hosts.first { $0.status == .revoked || $0.status == .changed }
    }

    /// Returns the current contents of the vault.
    ///
    /// - Parameter opening: whether to open a locked vault.
    /// - Returns: nil if the vault stays locked, or cannot be read.
    mutating func look(opening: Bool) -> KeyRing.Snapshot? {
        if !server.ring.isOpen {
            (snapshot, hosts) = (nil, [])
            guard opening, let interest = try? interested(),
                server.source.unlock(for: connection, until: interest)
            else { return nil }
        }
        let now = BootTime.now()
        if snapshot == nil || looked + Self.cacheLifetime <= now || !server.ring.isCurrent(snapshot) {
            guard let found = try? server.ring.refresh() else {
                (snapshot, hosts) = (nil, [])
                return nil
            }
            if found.view.number != snapshot?.view.number { hosts = [] }
            (snapshot, looked) = (found, now)
        }
        guard let snapshot else { return nil }
        if hosts.count != bindings.all.count {
            let time = WallTime.now()
            hosts = bindings.all.map { snapshot.book.facts(of: $0.hostKey, in: snapshot.vault, at: time) }
        }
        return snapshot
    }

    mutating func interested() throws(SystemError) -> Cancellation {
        if let interest { return interest }
        let new = try Cancellation(under: [server.stop], peer: connection.socket)
        interest = new
        return new
    }
}
