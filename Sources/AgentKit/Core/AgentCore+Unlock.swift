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

    /// The open vault; opens it if need be: without a person where it can, else by asking one.
    ///
    /// However many want it at the same time, one of them asks and the others wait for the same answer. If
    /// the one who asks hangs up, another one takes over.
    ///
    /// - Parameters:
    ///   - asker: how to ask for this caller; nil when it may not be asked.
    ///   - seconds: until it locks whatever happens; nil for the usual time.
    ///   - peer: the caller, for the log.
    ///   - cancellation: the caller's interest.
    /// - Returns: the vault that is open now, also one that another caller opened meanwhile.
    /// - Throws: `locked` when the vault opens only by a person and `asker` is nil; `dismissed` and `late`
    ///   for how the person answered; `cancelled`, `stopping` and `exhausted`; the vault's own error when it
    ///   does not open.
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

    /// Opens the vault by a secret that the caller brought; a person who is being asked need not answer any
    /// more.
    ///
    /// - Parameters:
    ///   - secret: a passphrase or recovery code; not looked at when the vault is open already.
    ///   - slot: the key slot whose PIN the secret is, nil for a slot without one; nil for a secret of another kind.
    ///   - seconds: until it locks whatever happens; nil for the usual time.
    ///   - peer: the caller, for the log.
    ///   - cancellation: the caller's interest; no key is derived for one that is gone.
    ///   - accepted: called when it was this secret that opened the vault.
    /// - Returns: the vault that is open now.
    /// - Throws: the vault's own error for a wrong secret; `cancelled` when the caller is gone; `locked` when
    ///   the vault was locked meanwhile; `stopping`.
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

    /// Locks a vault that got a new key meanwhile, or was taken away: an unlock is for the one that is there now.
    func lockOutdated() {
        guard let open = openVault else { return }
        do throws(StoreError) {
            _ = try open.generation()
            if !open.isInPlace { lock(.vaultGone) }
        } catch .rekeyed {
            lock(.rekeyed)
        } catch {
            // Who uses it next is told.
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
        // The round may have ended before this one joined it: then nothing would wake it.
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
            // Another caller opened it while this caller's person was being asked.
            if let open = openVault { return open }
            guard !cancellation.isCancelled else { throw .refused(.cancelled) }
            // Others can ask in their own way; what the vault said holds for all of them, and what the person said
            // where one window asks for all.
            if asker?.speaksForAll != false || !Self.isOwn(error),
                error != .refused(.locked), error != .refused(.cancelled)
            {
                outcome = .failed(error)
            }
            throw error
        }
    }
}
