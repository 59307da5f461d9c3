internal import Glibc
internal import Synchronization
internal import VaultKit
package import VaultPolicy

extension Gate: LockObserver {
    /// Stands in the entry of a lock for a program on the bus that cannot be identified.
    private static let unknown = "unknown"

    /// Writes down who tried a wrong secret; while the vault is locked that is kept until it is open.
    package func unlockTried(by peer: Peer?, isRight: Bool) {
        let requester = peer.map { self.requester($0) }
        let log = state.withLock { state in
            if isRight || state.log == nil { state.tries.add(by: requester, isRight: isRight) }
            return state.log
        }
        if !isRight, let log { _ = try? log.append(UnlockTries.wrong(by: requester)) }
    }

    /// Takes the vault's rules and log, and writes down who tried to open it, and that it was opened.
    package func vaultOpened(_ vault: OpenVault, for seconds: Int?) {
        let entries = state.withLock { $0.tries.entries }
        let opened: Result<AuditLog, VaultError> = vault.use {
            do throws(VaultError) {
                return .success(
                    try Blocking.wait { () async throws(VaultError) in
                        let log = try await vault.vault.auditLog()
                        do throws(AuditError) {
                            for entry in entries {
                                try log.append(entry, isDurable: entry.verdict == .allowed)
                            }
                        } catch {
                            throw .audit(error)
                        }
                        // How far the log reaches is worth knowing, not worth staying locked.
                        do throws(VaultError) { try await vault.vault.markAudit() } catch {}
                        return log
                    }
                )
            } catch {
                return .failure(error)
            }
        }
        state.withLock { state in
            let tries = state.tries
            leases.end(at: BootTime.now())
            state = State(policy: Policy(owner: state.policy.owner), opening: state.opening + 1)
            state.open = vault
            state.lock = try? Cancellation()
            switch opened {
            case .success(let log): state.log = log
            case .failure(let error): (state.fault, state.tries) = (error, tries)
            }
        }
    }

    /// Keeps which program on the bus asks for the lock that comes; nil for one that no such program asks for.
    package func lockComes(by requester: Requester?) {
        state.withLock { state in
            guard state.open != nil else { return }
            state.locker = requester
        }
    }

    /// Writes down the lock, and keeps in the vault how far the log reaches: an end that was cut off is found out.
    package func vaultCloses(_ vault: OpenVault, _ reason: LockReason) {
        let (log, counts, locker) = state.withLock { state in
            state.open === vault ? (state.log, limiter.endLog(), state.locker) : (nil, [], nil)
        }
        guard let log else { return }
        write(counts, to: log)
        guard write(reason, by: locker, to: log) else { return }
        state.withLock { state in
            if state.open === vault { state.isLockNoted = true }
        }
        // A file that is not the vault any more must not be taken for a newer one; with an old key nothing is written.
        guard ![.vaultGone, .rekeyed].contains(reason), vault.isInPlace else { return }
        do throws(VaultError) {
            try Blocking.wait { () async throws(VaultError) in try await vault.vault.markAudit() }
        } catch {
            // The entry is there; a lock waits for nothing.
        }
    }

    /// Forgets every yes, every rule and the key of the log, after the last entry.
    package func vaultLocked(_ reason: LockReason) {
        let (log, counts, locker) = state.withLock { state in
            let locker = state.locker
            let (log, tries) = (state.isLockNoted ? nil : state.log, state.tries)
            let counts = limiter.endLog()
            state.lock?.cancel()
            leases.end(at: BootTime.now())
            state = State(policy: Policy(owner: state.policy.owner), opening: state.opening + 1)
            state.tries = tries
            return (log, counts, locker)
        }
        guard let log else { return }
        write(counts, to: log)
        _ = write(reason, by: locker, to: log)
    }

    /// Writes down what programs on the bus repeated; a lock waits for none of it.
    private func write(_ counts: [AuditEntry], to log: AuditLog) {
        for var count in counts {
            count.time = WallTime.milliseconds()
            _ = try? log.append(count)
        }
    }

    private func write(_ reason: LockReason, by locker: Requester?, to log: AuditLog) -> Bool {
        var entry = AuditEntry(
            .lock,
            .allowed,
            time: WallTime.milliseconds(),
            reason: reason.rawValue,
            user: geteuid()
        )
        // Time, or the screen, may have come first.
        if reason == .request, let locker {
            entry.add(locker)
            // An entry without a program is the person's own lock.
            if locker.program == .unknown { entry.program = Self.unknown }
        }
        return (try? log.append(entry, isDurable: true)) != nil
    }
}
