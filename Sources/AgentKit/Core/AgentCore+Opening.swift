internal import AgentProtocol
internal import RecordStore
internal import Synchronization
internal import VaultCrypto
internal import VaultKit

extension AgentCore {
    func obtain(
        _ round: UnlockRound,
        _ asker: (any UnlockAsker)?,
        _ peer: Peer?
    ) throws(AgentError) -> OpenVault {
        if let opened = try unattended() { return opened }
        guard let asker else { throw .refused(.locked) }
        round.beginAsking(at: asker.spot)
        if let opened = try opener.openByKeeper(mayAsk: asker.isAtDesktop) { return opened }
        var attempt = 1
        while true {
            let secret = try ask(asker, attempt, round)
            do throws(AgentError) {
                let opened = try open(by: secret, of: peer, round.question)
                if opened.takesSecret { asker.accepted() }
                return opened
            } catch {
                guard Self.isSlip(error), attempt < asker.tries else { throw error }
                attempt += 1
            }
        }
    }

    private func ask(
        _ asker: any UnlockAsker,
        _ attempt: Int,
        _ round: UnlockRound
    ) throws(AgentError) -> Secret {
        do throws(Refusal) {
            return try asker.secret(attempt: attempt, of: opener.vaultName, round.question)
        } catch {
            throw .refused(error)
        }
    }

    private func unattended() throws(AgentError) -> OpenVault? {
        try deriving.withLock { _ throws(AgentError) in try opener.openUnattended() }
    }

    func open(
        by secret: Secret,
        of peer: Peer?,
        _ interest: Cancellation?
    ) throws(AgentError) -> OpenVault {
        do throws(AgentError) {
            return try deriving.withLock { _ throws(AgentError) in
                // Others may have been first, for seconds each.
                guard interest?.isCancelled != true else { throw .refused(.cancelled) }
                return try opener.open(with: secret)
            }
        } catch {
            if error == .vault(.store(.wrongSecret)) { tried(by: peer, isRight: false) }
            throw error
        }
    }

    /// What the person at one terminal said, or did not: another one may say something else.
    static func isOwn(_ error: AgentError) -> Bool {
        isSlip(error) || error == .refused(.dismissed) || error == .refused(.late)
    }

    /// What a person may try again.
    static func isSlip(_ error: AgentError) -> Bool {
        error == .vault(.store(.wrongSecret)) || error == .vault(.store(.mistyped))
    }
}
