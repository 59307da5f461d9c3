internal import SSHFormats
internal import VaultKit
internal import VaultPolicy

extension SSHSession {
    mutating func list() -> SSHAgentReply {
        guard !server.ring.isPassphraseLocked else { return .identities([]) }
        // Published keys are for programs of this machine. Another machine sees the keys that its host may see, after
        // the vault is opened.
        if !server.ring.isOpen, !bindings.isForwarded {
            let published = server.published()
            // A server that allows few tries may refuse before its own key is offered. So a login to a named host
            // opens the vault first if a person can be asked. A person who refuses is not asked again.
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

    /// Whether a key may be listed on this connection.
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

    /// Whether the connection leads from here to a host that a key of the vault is for.
    func reaches(_ key: RingKey, in snapshot: KeyRing.Snapshot) -> Bool {
        guard bindings.all.count == 1, !bindings.isForwarded, let host = hosts.last,
            [.known, .unknown].contains(host.status)
        else { return false }
        // Only the names under which the vault trusts the host's key count.
        return snapshot.book.isOne(of: key.hosts, host)
    }
}

extension SSHSession {
    /// Adds a key that a program sends: until the vault locks, or to the vault if the agent was started so.
    ///
    /// The vault gets only keys whose constraints it can store, and none that come from another machine; all others
    /// stay with the agent. A person is asked about keys from another machine.
    mutating func take(_ addition: SSHAgentAddition, in snapshot: KeyRing.Snapshot) -> Bool {
        let name = String(decoding: addition.key.comment, as: UTF8.self)
        let fingerprint = addition.key.publicKey.fingerprint.description
        if server.storesAdded, !bindings.isForwarded, addition.destinations == nil {
            let change = RingChange.store(name: name, fingerprint: fingerprint)
            guard server.gate.records(change, for: connection) else { return false }
            if store(addition, in: snapshot.vault) { return offerAgain(addition) }
        }
        let change = RingChange.add(name: name, fingerprint: fingerprint)
        guard !bindings.isForwarded else {
            guard let interest = try? interested() else { return false }
            return server.gate.permits(change, through: way, for: connection, until: interest)
                && server.ring.add(addition)
        }
        return server.gate.records(change, for: connection) && server.ring.add(addition)
    }

    private func offerAgain(_ addition: SSHAgentAddition) -> Bool {
        server.ring.offerAgain(addition.certificate?.blob ?? addition.key.publicKey.blob)
        return true
    }

    /// Stores a key; returns whether the vault has it now.
    private func store(_ addition: SSHAgentAddition, in vault: Vault) -> Bool {
        var record = KeyRecord(addition.key, origin: .openSSH)
        record.use.needsConfirmation = addition.needsConfirmation
        record.use.lifetime = addition.lifetime ?? 0
        do {
            if let certificate = addition.certificate { try record.add(certificate) }
            let comment = String(decoding: addition.key.comment, as: UTF8.self)
            let new = KeyImport(record, named: KeyName.made(from: comment) ?? "added")
            let outcome = try Blocking.wait { () async throws(VaultError) -> [KeyImportOutcome]? in
                // Anyone can make a handle for a public half, so only the correct handle changes a key of the vault.
                if addition.key.isHandle, try await vault.hasOtherHalf(of: addition.key) { return nil }
                return try await vault.importSSHKeys([new])
            }
            guard let outcome else { return false }
            // An existing key keeps its own conditions, so a key with other ones stays with the agent.
            switch outcome.first {
            case .known(let key, _)?, .restored(let key, _)?: return key.isInUse && key.use == record.use
            case .stored?, nil: return true
            }
        } catch {
            return false
        }
    }
}
