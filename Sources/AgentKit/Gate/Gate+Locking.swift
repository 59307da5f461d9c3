internal import Glibc
internal import Synchronization
internal import VaultKit
package import VaultPolicy

extension Gate: LockObserver {
    /// The program name in the log entry of a lock by an unidentified program on the bus.
    private static let unknown = "unknown"

    /// Logs a wrong secret; while the vault is locked, the entry waits until it is open.
    package func unlockTried(by peer: Peer?, isRight: Bool) {
        let requester = peer.map { self.requester($0) }
        let log = state.withLock { state in
            if isRight || state.log == nil { state.tries.add(by: requester, isRight: isRight) }
            return state.log
        }
        if !isRight, let log { _ = try? log.append(UnlockTries.wrong(by: requester)) }
    }

    /// Reads the vault's rules and log, and logs who tried to open it, and that it was opened.
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
                        // Storing the length of the log must not keep the vault locked.
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

    /// Notes the program on the bus that requested the next lock; nil for another lock.
    package func lockComes(by requester: Requester?) {
        state.withLock { state in
            guard state.open != nil else { return }
            state.locker = requester
        }
    }

    /// Logs the lock, and stores the length of the log in the vault, so that a truncated log is detected.
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
        // A replaced file must not be mistaken for a newer vault; and with an old key nothing can be written.
        guard ![.vaultGone, .rekeyed].contains(reason), vault.isInPlace else { return }
        do throws(VaultError) {
            try Blocking.wait { () async throws(VaultError) in try await vault.vault.markAudit() }
        } catch {
            // The entry exists; a lock does not wait for more.
        }
    }

    /// Erases every approval, every rule and the key of the log, after the last entry.
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

    /// Logs the repeated requests of programs on the bus; a lock does not wait for it.
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
        // The idle time or the screen lock may have come first.
        if reason == .request, let locker {
            entry.add(locker)
            // An entry without a program is a lock by the person.
            if locker.program == .unknown { entry.program = Self.unknown }
        }
        return (try? log.append(entry, isDurable: true)) != nil
    }
}
