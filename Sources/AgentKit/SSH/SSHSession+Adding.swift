internal import SSHFormats
internal import VaultKit

extension SSHSession {
    /// Takes a key that a program brings: until the vault locks, or into the vault where the agent was started so.
    ///
    /// Into the vault goes only what its conditions can be kept of there, and nothing that comes over another
    /// machine; all else stays with the agent, as ever. About what comes over another machine a person is asked.
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

    /// Whether the vault has it now.
    private func store(_ addition: SSHAgentAddition, in vault: Vault) -> Bool {
        var record = KeyRecord(addition.key, origin: .openSSH)
        record.use.needsConfirmation = addition.needsConfirmation
        record.use.lifetime = addition.lifetime ?? 0
        do {
            if let certificate = addition.certificate { try record.add(certificate) }
            let comment = String(decoding: addition.key.comment, as: UTF8.self)
            let new = KeyImport(record, named: KeyName.made(from: comment) ?? "added")
            let outcome = try Blocking.wait { () async throws(VaultError) -> [KeyImportOutcome]? in
                // Anyone can make a handle for a public half: none but the right one changes a key of the vault.
                if addition.key.isHandle, try await vault.hasOtherHalf(of: addition.key) { return nil }
                return try await vault.importSSHKeys([new])
            }
            guard let outcome else { return false }
            // A key that was there keeps its own conditions, so with any other ones it stays with the agent.
            switch outcome.first {
            case .known(let key, _)?, .restored(let key, _)?: return key.isInUse && key.use == record.use
            case .stored?, nil: return true
            }
        } catch {
            return false
        }
    }
}
