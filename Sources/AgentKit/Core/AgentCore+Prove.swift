package import AgentProtocol
internal import Synchronization
package import VaultCrypto

extension AgentCore {
    /// Lets a caller prove that its person knows the vault's secret, also while the vault is open.
    ///
    /// Opens the vault if necessary.
    ///
    /// - Parameters:
    /// - given: the secret, if the caller sent one.
    /// - asker: asks the person otherwise; nil if the person may not be asked.
    /// - peer: the caller, for the log.
    /// - cancellation: ends the wait when the caller has gone.
    /// - shown: called after the correct secret.
    /// - Returns: the open vault.
    /// - Throws: the vault's own error for a wrong secret; `locked` without a secret and a way to ask for it;
    ///   `nothingToShow` for a vault in a keyring, which has no secret of its own.
    package func prove(
        _ given: Secret?,
        asking asker: (any UnlockAsker)?,
        by peer: Peer? = nil,
        _ cancellation: Cancellation,
        shown: () -> Void
    ) throws(AgentError) -> OpenVault {
        guard given != nil || asker != nil else { throw .refused(.locked) }
        // A vault without a passphrase needs no prompt for one.
        if let openVault, !openVault.takesSecret { throw .refused(.nothingToShow) }
        let before = state.withLock { $0.locks }
        if given == nil, let asker,
            let opened = try openByDevice(asker, peer, cancellation, byPIN: true)
        {
            shown()
            return try take(opened, locks: before, for: nil, by: peer)
        }
        var attempt = 1
        while true {
            let locks = state.withLock { $0.locks }
            let secret: Secret
            if let given { secret = given } else { secret = try asked(asker, attempt, cancellation) }
            do throws(AgentError) {
                // A second vault object is opened, only to test the secret.
                let opened = try open(by: secret, of: peer, cancellation)
                guard opened.takesSecret else {
                    opened.close()
                    throw .refused(.nothingToShow)
                }
                shown()
                return try take(opened, locks: locks, for: nil, by: peer)
            } catch {
                guard given == nil, Self.isSlip(error), attempt < asker?.tries ?? 1 else { throw error }
                attempt += 1
            }
        }
    }

    private func asked(
        _ asker: (any UnlockAsker)?,
        _ attempt: Int,
        _ cancellation: Cancellation
    ) throws(AgentError) -> Secret {
        guard let asker else { throw .refused(.locked) }
        do throws(Refusal) {
            return try asker.secret(attempt: attempt, of: opener.vaultName, cancellation)
        } catch {
            throw .refused(error)
        }
    }
}
