internal import SSHFormats
internal import VaultKit
internal import VaultPolicy

/// One connection of ssh or another program: what it is bound to, and the answers to what it asks.
struct SSHSession {
    /// Seconds for which a connection believes what was read of the vault; a new one always looks.
    private static let cacheLifetime: UInt64 = 1

    let server: SSHServer
    let connection: Connection
    private(set) var bindings = SessionBindings()
    private var snapshot: KeyRing.Snapshot?
    private var looked: UInt64 = 0
    /// What the vault knows of the hosts of `bindings`, as of `snapshot`.
    private var hosts: [HostFacts] = []
    private var interest: Cancellation?

    init(_ server: SSHServer, _ connection: Connection) {
        self.server = server
        self.connection = connection
    }

    /// The answer to a message.
    ///
    /// Every refusal is the same byte on the wire; why, the log says.
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
            // The keys of this machine are not another machine's to lock, to open or to take away.
            guard !bindings.isForwarded else { return .failure }
            return answerLocally(request)
        case .query, .sign, .add, .unsupported:
            // Locked by a passphrase, it does not even say what it can do.
            guard !server.ring.isPassphraseLocked else { return .failure }
            return answerUnlocked(request)
        }
    }

    private mutating func answerLocally(_ request: SSHAgentRequest) -> SSHAgentReply {
        let ring = server.ring
        switch request {
        case .unlock(let passphrase):
            // Hanging up makes it no shorter: the next guess waits for this one.
            return reply(ring.unlock(with: passphrase) { _ = server.stop.wait(for: -1, milliseconds: $0) })
        case .lock(let passphrase): return reply(ring.lock(with: passphrase))
        case .remove(let blob):
            return reply(!ring.isPassphraseLocked && isShown(blob) && remove(blob))
        case .removeAll:
            guard !ring.isPassphraseLocked else { return .failure }
            _ = look(opening: false)
            // Taking away needs no log, and is never refused; what there is, tells of it.
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

    /// Whether what is asked comes from another machine, or may do so.
    var isForwarded: Bool { bindings.isForwarded }

    // MARK: Hosts

    /// A bind is proven and kept also while the vault is locked, so that what comes over another machine never
    /// looks as if it came from here.
    private mutating func bind(_ bind: SessionBind) -> SSHAgentReply {
        guard (try? bindings.add(bind)) != nil else { return .extensionFailure }
        hosts = []
        guard server.ring.isOpen, look(opening: false) != nil else { return .success }
        guard let host = barredHost else { return .success }
        server.gate.noteRefusal(of: host, for: connection)
        return .extensionFailure
    }

    /// A host on the way whose key the vault holds as revoked or changed.
    private var barredHost: HostFacts? {
        hosts.first { $0.standing == .revoked || $0.standing == .changed }
    }

    /// What there is in the vault.
    ///
    /// - Parameter opening: whether to ask for it to be opened.
    /// - Returns: nil when the vault is locked and stays so, or cannot be read.
    private mutating func look(opening: Bool) -> KeyRing.Snapshot? {
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

    private mutating func interested() throws(SystemError) -> Cancellation {
        if let interest { return interest }
        let new = try Cancellation(under: [server.stop], peer: connection.socket)
        interest = new
        return new
    }

    // MARK: Keys

    private mutating func list() -> SSHAgentReply {
        guard !server.ring.isPassphraseLocked else { return .identities([]) }
        // Published is for the programs of this machine: another one is shown what its host may see, after opening.
        if !server.ring.isOpen, !bindings.isForwarded {
            let published = server.published()
            // A server that allows few tries may refuse before its own key comes in the order of names: a login to a
            // host that was named opens the vault first, where a person can be asked. Who says no is not asked again.
            let mayMiss =
                published.count > 1 && !bindings.all.isEmpty && server.source.canAsk(for: connection)
            if !published.isEmpty, !mayMiss { return .identities(published.map { identity($0) }) }
        }
        guard let snapshot = look(opening: true), barredHost == nil else { return .identities([]) }
        var first: [SSHAgentReply.Identity] = []
        var others: [SSHAgentReply.Identity] = []
        let wanted = hosts.last.map { snapshot.book.keyNames(for: $0) } ?? []
        let time = WallTime.now()
        for offer in server.ring.offers() where isShown(offer.key, in: snapshot, at: time) {
            if case .vault(let name) = offer.key.source, wanted.contains(name) {
                first.append(identity(offer.identity))
            } else {
                others.append(identity(offer.identity))
            }
        }
        return .identities(first + others)
    }

    private func identity(_ key: PublicKey) -> SSHAgentReply.Identity {
        SSHAgentReply.Identity(blob: key.blob, comment: key.comment)
    }

    /// Whether a key may be seen over this connection.
    private func isShown(_ key: RingKey, in snapshot: KeyRing.Snapshot, at time: UInt64) -> Bool {
        guard bindings.shows(key.destinations, at: time) else { return false }
        guard !key.hosts.isEmpty, !bindings.all.isEmpty || bindings.hasFailed else { return true }
        return reaches(key, in: snapshot)
    }

    private mutating func isShown(_ blob: [UInt8]) -> Bool {
        guard let snapshot = look(opening: true) else { return false }
        let time = WallTime.now()
        return server.ring.offer(of: blob).map { isShown($0.key, in: snapshot, at: time) } ?? false
    }

    /// Whether the connection leads from here to one of the hosts that a key of the vault is for.
    private func reaches(_ key: RingKey, in snapshot: KeyRing.Snapshot) -> Bool {
        guard bindings.all.count == 1, !bindings.isForwarded, let host = hosts.last,
            [.known, .unknown].contains(host.standing)
        else { return false }
        // It has those names alone under which the vault trusts its key.
        return snapshot.book.isOne(of: key.hosts, host)
    }

    // MARK: Signing

    private mutating func sign(_ blob: [UInt8], _ data: [UInt8], _ flags: UInt32) -> SSHAgentReply {
        guard let asked = try? PublicKey(blob: blob), let snapshot = look(opening: true), barredHost == nil,
            let key = server.ring.offer(of: asked.blob)?.key
        else { return .failure }
        let form = SignedData(data, for: asked)
        let time = WallTime.now()
        guard bindings.permits(key.destinations, signing: form, at: time),
            isMeantForHere(key, form, in: snapshot), let interest = try? interested()
        else { return .failure }
        let act = Act.sign(key.facts, purpose(of: form, in: snapshot, at: time), route)
        guard server.gate.permits(act, for: connection, until: interest) else { return .failure }
        // Meanwhile a person may have thought for a while, and the vault may have locked.
        let signature = snapshot.opened.use { () -> [UInt8]? in
            try? server.ring.signer(of: key, in: snapshot)?.sign(data, as: form, flags: flags)
        }
        guard let signature else { return .failure }
        server.source.noteUse()
        return .signature(signature)
    }

    /// Whether the owner's conditions on a key of the vault, and the binding of the connection, allow the data.
    private func isMeantForHere(_ key: RingKey, _ form: SignedData, in snapshot: KeyRing.Snapshot) -> Bool {
        guard case .login(let login) = form else {
            // A key for certain hosts signs for no other purpose, but in the namespaces that its owner named.
            guard !key.hosts.isEmpty, case .file(let namespace) = form else { return key.hosts.isEmpty }
            return key.facts.namespaces?.contains { Array($0.utf8) == namespace } ?? false
        }
        let isLast = bindings.isLast(login)
        guard key.hosts.isEmpty else { return isLast && reaches(key, in: snapshot) }
        // A connection that was bound for one login serves no other.
        guard let last = bindings.last, !last.isForwarding else { return true }
        return isLast
    }

    private func purpose(of form: SignedData, in snapshot: KeyRing.Snapshot, at time: UInt64) -> Purpose {
        switch form {
        case .login(let login):
            var host = bindings.isLast(login) ? hosts.last : nil
            if host == nil, let key = login.hostKey {
                host = snapshot.book.facts(of: key, in: snapshot.vault, at: time)
            }
            return .login(user: Self.text(login.user), host: host)
        case .file(let namespace): return .file(namespace: Self.text(namespace))
        case .certificate: return .certificate
        case .raw: return .raw
        }
    }

    /// Two texts are the same only if their bytes are.
    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? "\(bytes)"
    }

    private var route: Route {
        if bindings.isForwarded {
            let through = zip(bindings.all, hosts).filter { $0.0.isForwarding }.reversed()
            return .forwarded(through: through.map { $0.1.names.first ?? $0.1.fingerprint })
        }
        return bindings.all.isEmpty ? .unbound : .direct
    }
}
