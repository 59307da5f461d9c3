package import AgentProtocol
internal import RecordStore
internal import Synchronization
package import VaultCrypto
internal import VaultKit

extension AgentCore {
    private enum Part {
        case open(OpenVault)
        case lead(UnlockRound, locks: UInt64)
        case follow(UnlockRound)
    }

    /// Returns the open vault, and opens it if necessary: if possible without a person, otherwise by asking one.
    ///
    /// If several callers need the vault at the same time, one asks and the others wait for the same answer. If the
    /// asking caller disconnects, another one continues.
    ///
    /// - Parameters:
    /// - asker: asks the person of this caller; nil if it may not be asked.
    /// - seconds: the time until the vault locks in any case; nil for the usual time.
    /// - peer: the caller, for the log.
    /// - cancellation: ends the wait when the caller has gone.
    /// - Returns: the open vault, also if another caller opened it meanwhile.
    /// - Throws: `locked` if only a person can open the vault and `asker` is nil; `dismissed` and `late` for the
    ///   person's answer; `cancelled`, `stopping` and `exhausted`; the vault's own error if it does not open.
    package func unlock(
        asking asker: (any UnlockAsker)?,
        for seconds: Int? = nil,
        by peer: Peer? = nil,
        _ cancellation: Cancellation
    ) throws(AgentError) -> OpenVault {
        while true {
            guard !cancellation.isCancelled else { throw .refused(.cancelled) }
            switch try part(cancellation) {
            case .open(let vault):
                if let seconds { limit(to: seconds) }
                return vault
            case .lead(let round, let locks):
                return try lead(round, locks, asker, seconds, peer, cancellation)
            case .follow(let round):
                try follow(round, asker, cancellation)
            }
        }
    }

    /// Opens the vault with a secret from the caller; an open prompt is then closed.
    ///
    /// - Parameters:
    /// - secret: a passphrase or recovery code; ignored if the vault is already open.
    /// - slot: the key slot whose PIN the secret is, or that needs no PIN if the secret is nil; nil for another kind
    /// of secret.
    /// - seconds: the time until the vault locks in any case; nil for the usual time.
    /// - peer: the caller, for the log.
    /// - cancellation: ends the work when the caller has gone; no key is derived for such a caller.
    /// - accepted: called if this secret opened the vault.
    /// - Returns: the open vault.
    /// - Throws: the vault's own error for a wrong secret; `cancelled` if the caller has gone; `locked` if the vault
    ///   was locked meanwhile; `stopping`.
    package func unlock(
        with secret: Secret?,
        slot: SlotPIN? = nil,
        for seconds: Int? = nil,
        by peer: Peer? = nil,
        _ cancellation: Cancellation? = nil,
        accepted: () -> Void = {}
    ) throws(AgentError) -> OpenVault {
        let (present, locks) = state.withLock { ($0.open, $0.locks) }
        if let present {
            if let seconds { limit(to: seconds) }
            return present
        }
        let opened = try open(by: secret, slot: slot, of: peer, cancellation)
        if opened.takesSecret { accepted() }
        let taken = try take(opened, locks: locks, for: seconds, by: peer)
        state.withLock { $0.round }?.question.cancel()
        return taken
    }

    /// Locks a vault whose key changed meanwhile, or whose file was removed, so that an unlock opens the current one.
    func lockOutdated() {
        guard let open = openVault else { return }
        do throws(StoreError) {
            _ = try open.generation()
            if !open.isInPlace { lock(.vaultGone) }
        } catch .rekeyed {
            lock(.rekeyed)
        } catch {
            // The next caller gets the error.
        }
    }

    private func part(_ cancellation: Cancellation) throws(AgentError) -> Part {
        let fresh: UnlockRound
        do {
            fresh = try UnlockRound(under: cancellation)
        } catch {
            throw .refused(.exhausted)
        }
        let part: Part? = state.withLock { state in
            if let open = state.open { return .open(open) }
            guard !state.isStopping else { return nil }
            if let round = state.round { return .follow(round) }
            state.round = fresh
            return .lead(fresh, locks: state.locks)
        }
        guard let part else { throw .refused(.stopping) }
        return part
    }

    private func follow(
        _ round: UnlockRound,
        _ asker: (any UnlockAsker)?,
        _ cancellation: Cancellation
    ) throws(AgentError) {
        let waiter: UnlockRound.Waiter
        do {
            waiter = try UnlockRound.Waiter(asks: asker != nil) { asker?.waits(at: $0) }
        } catch {
            throw .refused(.exhausted)
        }
        guard round.join(waiter) else { throw .refused(.locked) }
        // The round may have ended before this caller joined it, and nothing would wake the caller.
        guard state.withLock({ $0.round === round }) else { return }
        round.tell(waiter)
        guard cancellation.wait(for: waiter.signal.descriptor) == .ready else { throw .refused(.cancelled) }
        if case .failed(let error) = waiter.result { throw error }
    }

    private func lead(
        _ round: UnlockRound,
        _ locks: UInt64,
        _ asker: (any UnlockAsker)?,
        _ seconds: Int?,
        _ peer: Peer?,
        _ cancellation: Cancellation
    ) throws(AgentError) -> OpenVault {
        var outcome = UnlockRound.Waiter.Outcome.again
        defer {
            state.withLock { $0.round = nil }
            round.end(outcome)
        }
        do throws(AgentError) {
            return try take(try obtain(round, asker, peer), locks: locks, for: seconds, by: peer)
        } catch {
            // Another caller opened the vault while this caller's person was being asked.
            if let open = openVault { return open }
            guard !cancellation.isCancelled else { throw .refused(.cancelled) }
            // Other callers can ask in their own way. An error of the vault applies to all of them; an answer of the
            // person does if one window asks for all.
            if asker?.speaksForAll != false || !Self.isOwn(error),
                error != .refused(.locked), error != .refused(.cancelled)
            {
                outcome = .failed(error)
            }
            throw error
        }
    }
}
