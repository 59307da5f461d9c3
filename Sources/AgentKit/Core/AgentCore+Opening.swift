internal import AgentProtocol
internal import Presentation
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
        if let opened = try openByDevice(asker, peer, round.question) {
            if opened.takesSecret { asker.accepted() }
            return opened
        }
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

    /// Opens the vault with a device; nil if no device can, or if the person wants to type the passphrase.
    ///
    /// With `byPIN`, a touch alone does not suffice: it would not show what the person touched the key for.
    func openByDevice(
        _ asker: any UnlockAsker,
        _ peer: Peer?,
        _ interest: Cancellation,
        byPIN: Bool = false
    ) throws(AgentError) -> OpenVault? {
        var attempt = 1
        while let offer = try opener.offer(), offer.pin != nil || !byPIN {
            let pin = try ask(asker, offer, attempt, interest)
            guard pin != nil || offer.pin == nil else { return nil }
            do throws(AgentError) {
                return try open(by: offer, pin, asker, peer, interest)
            } catch {
                // If the device fails, the passphrase remains.
                if Self.isOfDevice(error) { return nil }
                guard Self.isSlip(error), attempt < asker.tries else { throw error }
                attempt += 1
            }
        }
        return nil
    }

    /// Opens a slot while the person sees what to touch; nil if the person wants to type the passphrase.
    private func open(
        by offer: SlotOffer,
        _ pin: Secret?,
        _ asker: any UnlockAsker,
        _ peer: Peer?,
        _ interest: Cancellation
    ) throws(AgentError) -> OpenVault? {
        let slot = SlotPIN(slot: offer.slot)
        guard offer.touch != nil else { return try open(by: pin, slot: slot, of: peer, interest) }
        let wait: TouchWait
        do { wait = try TouchWait(under: interest) } catch { throw .refused(.exhausted) }
        wait.ask(asker, offer)
        defer { wait.question.cancel() }
        do throws(AgentError) {
            return try open(by: pin, slot: slot, of: peer, wait.touch)
        } catch {
            switch wait.answer {
            case .passphraseInstead?: return nil
            case .refused(let refusal)?: throw .refused(refusal)
            case nil: throw error
            }
        }
    }

    private func ask(
        _ asker: any UnlockAsker,
        _ offer: SlotOffer,
        _ attempt: Int,
        _ interest: Cancellation
    ) throws(AgentError) -> Secret? {
        do throws(Refusal) {
            return try asker.pin(attempt: attempt, of: offer, interest)
        } catch {
            throw .refused(error)
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
        by secret: Secret?,
        slot: SlotPIN? = nil,
        of peer: Peer?,
        _ interest: Cancellation?
    ) throws(AgentError) -> OpenVault {
        do throws(AgentError) {
            // A device may wait for a touch, and opening by passphrase must not wait for that.
            if let slot {
                return try touching.withLock { _ throws(AgentError) in
                    guard interest?.isCancelled != true else { throw .refused(.cancelled) }
                    return try opener.open(slot, pin: secret, interest)
                }
            }
            return try deriving.withLock { _ throws(AgentError) in
                // Other callers may have been first, for seconds each.
                guard interest?.isCancelled != true else { throw .refused(.cancelled) }
                guard let secret else { throw .refused(.brokenProtocol) }
                return try opener.open(with: secret)
            }
        } catch {
            if error == .vault(.store(.wrongSecret)) || Self.isWrongPIN(error) {
                tried(by: peer, isRight: false)
            }
            throw error
        }
    }

    /// Whether an error depends on the person at one terminal: a person at another one may answer differently.
    static func isOwn(_ error: AgentError) -> Bool {
        isSlip(error) || error == .refused(.dismissed) || error == .refused(.late)
    }

    /// Whether the person may try again after an error.
    static func isSlip(_ error: AgentError) -> Bool {
        error == .vault(.store(.wrongSecret)) || error == .vault(.store(.mistyped)) || isWrongPIN(error)
    }

    /// Whether an error is the fault of a device, and not of the person's answer.
    private static func isOfDevice(_ error: AgentError) -> Bool {
        guard case .refused(let refusal) = error, !isWrongPIN(error) else { return false }
        return ![.dismissed, .late, .cancelled, .locked, .brokenProtocol, .exhausted].contains(refusal)
    }

    private static func isWrongPIN(_ error: AgentError) -> Bool {
        guard case .refused(let refusal) = error else { return false }
        return [.pinWrong, .badPIN].map(\ErrorName.rawValue).contains(refusal.name)
    }
}
