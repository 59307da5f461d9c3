internal import SSHFormats
internal import VaultPolicy

extension SSHSession {
    mutating func list() -> SSHAgentReply {
        guard !server.ring.isPassphraseLocked else { return .identities([]) }
        // Published is for the programs of this machine: another one is shown what its host may see, after opening.
        if !server.ring.isOpen, !bindings.isForwarded {
            let published = server.published()
            // A server that allows few tries may refuse before its own key comes in the order of names: a login to a
            // host that was named opens the vault first, where a person can be asked. Who says no is not asked again.
            let mayMiss =
                published.count > 1 && !bindings.all.isEmpty && server.source.canAsk(for: connection)
            if !published.isEmpty, !mayMiss { return .identities(published.map(SSHAgentReply.Identity.init)) }
        }
        guard let snapshot = look(opening: true), barredHost == nil else { return .identities([]) }
        var first: [SSHAgentReply.Identity] = []
        var others: [SSHAgentReply.Identity] = []
        let wanted = hosts.last.map { snapshot.book.keyNames(for: $0) } ?? []
        let time = WallTime.now()
        for offer in server.ring.offers() where isShown(offer.key, in: snapshot, at: time) {
            if case .vault(let name) = offer.key.source, wanted.contains(name) {
                first.append(SSHAgentReply.Identity(offer.identity))
            } else {
                others.append(SSHAgentReply.Identity(offer.identity))
            }
        }
        return .identities(first + others)
    }

    /// Whether a key may be seen over this connection.
    func isShown(_ key: RingKey, in snapshot: KeyRing.Snapshot, at time: UInt64) -> Bool {
        guard bindings.shows(key.destinations, at: time) else { return false }
        guard !key.hosts.isEmpty, !bindings.all.isEmpty || bindings.hasFailed else { return true }
        return reaches(key, in: snapshot)
    }

    mutating func isShown(_ blob: [UInt8]) -> Bool {
        guard let snapshot = look(opening: true) else { return false }
        let time = WallTime.now()
        return server.ring.offer(of: blob).map { isShown($0.key, in: snapshot, at: time) } ?? false
    }

    /// Whether the connection leads from here to one of the hosts that a key of the vault is for.
    func reaches(_ key: RingKey, in snapshot: KeyRing.Snapshot) -> Bool {
        guard bindings.all.count == 1, !bindings.isForwarded, let host = hosts.last,
            [.known, .unknown].contains(host.status)
        else { return false }
        // It has those names alone under which the vault trusts its key.
        return snapshot.book.isOne(of: key.hosts, host)
    }
}
