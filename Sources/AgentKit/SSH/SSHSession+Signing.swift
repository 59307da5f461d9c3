internal import SSHFormats
internal import VaultKit
internal import VaultPolicy

extension SSHSession {
    mutating func sign(_ blob: [UInt8], _ data: [UInt8], _ flags: UInt32) -> SSHAgentReply {
        guard let asked = try? PublicKey(blob: blob), let snapshot = look(opening: true), barredHost == nil,
            let key = server.ring.offer(of: asked.blob)?.key
        else { return .failure }
        let form = SignedData(data, for: asked)
        let time = WallTime.now()
        guard bindings.permits(key.destinations, signing: form, at: time),
            isMeantForHere(key, form, in: snapshot), let interest = try? interested()
        else { return .failure }
        let act = Act.sign(key.facts, purpose(of: form, in: snapshot, at: time), route(of: form))
        guard server.gate.permits(act, for: connection, until: interest) else { return .failure }
        // A person may have waited before answering, and the vault may have locked meanwhile.
        if key.publicKey.algorithm.isSecurityKey {
            return touch(key, data, form, act, in: snapshot, until: interest)
        }
        let signature = snapshot.opened.use { () -> [UInt8]? in
            try? server.ring.signer(of: key, in: snapshot)?.sign(data, as: form, flags: flags)
        }
        guard let signature else { return .failure }
        server.source.noteUse()
        return .signature(signature)
    }

    /// Lets a security key sign.
    private func touch(
        _ key: RingKey,
        _ data: [UInt8],
        _ form: SignedData,
        _ act: Act,
        in snapshot: KeyRing.Snapshot,
        until interest: Cancellation
    ) -> SSHAgentReply {
        let (ring, gate) = (server.ring, server.gate)
        do throws(SecurityKeyFault) {
            guard let handle = snapshot.opened.use({ ring.handle(of: key, in: snapshot) }),
                let facts = handle.securityKey,
                let person = gate.person(for: act, of: connection, until: interest)
            else { throw .locked }
            guard facts.isForSSH || form.isForSSH else { throw .otherData }
            let signature: [UInt8]
            do throws(SecurityKeyFault) {
                signature = try server.securityKeys.sign(data, with: handle, person)
            } catch {
                guard error == .cancelled, !ring.holds(key, in: snapshot) else { throw error }
                throw .locked
            }
            // A lock overrides a touch.
            guard ring.holds(key, in: snapshot) else { throw .locked }
            server.source.noteUse()
            return .signature(signature)
        } catch {
            gate.noteFailure(of: act, error, for: connection)
            return .failure
        }
    }

    /// Whether the owner's conditions of a vault key and the binding of the connection allow the data.
    private func isMeantForHere(_ key: RingKey, _ form: SignedData, in snapshot: KeyRing.Snapshot) -> Bool {
        guard case .login(let login) = form else {
            // A key for certain hosts signs for no other purpose, except in the namespaces of its owner.
            guard !key.hosts.isEmpty, case .file(let namespace) = form else { return key.hosts.isEmpty }
            return key.facts.namespaces?.contains { Array($0.utf8) == namespace } ?? false
        }
        let isLast = bindings.isLast(login)
        guard key.hosts.isEmpty else { return isLast && reaches(key, in: snapshot) }
        // A connection that was bound for one login cannot be used for another one.
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

    /// Texts are compared by their bytes.
    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? "\(bytes)"
    }

    private func route(of form: SignedData) -> Route {
        if let jump = relay(of: form) { return .relayed(through: jump) }
        if bindings.isForwarded { return .forwarded(through: way) }
        return bindings.all.isEmpty ? .unbound : .direct
    }

    /// Returns the one host between here and the server of a login; nil unless both have signed for their sessions,
    /// the connection has no other binding, and the login names the server's key.
    private func relay(of form: SignedData) -> HostFacts? {
        guard !bindings.hasFailed, bindings.all.count == 2, hosts.count == 2, bindings.all[0].isForwarding,
            !bindings.all[1].isForwarding, case .login(let login) = form, login.hostKey != nil,
            bindings.isLast(login)
        else { return nil }
        return hosts[0]
    }

    /// The machines that a request came through, the nearest last.
    var way: [String] {
        zip(bindings.all, hosts).filter { $0.0.isForwarding }.reversed()
            .map { $0.1.names.first ?? $0.1.fingerprint }
    }
}

extension SignedData {
    /// Whether only ssh makes such data, and no web site asks for a signature of it.
    fileprivate var isForSSH: Bool {
        switch self {
        case .login, .file: true
        case .certificate, .raw: false
        }
    }
}
