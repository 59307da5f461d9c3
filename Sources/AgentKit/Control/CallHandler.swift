internal import AgentProtocol
internal import RecordStore
internal import VaultKit
internal import VaultPolicy

/// One operation of the vault, from the decision about it to its response.
struct CallHandler {
    /// The largest number of decisions about one call of a program on the bus.
    private static let tries = 3

    private let parts: ControlParts
    private let caller: ControlCaller
    private let prompter: (any Prompter)?
    private let asker: (any UnlockAsker)?

    /// Creates a handler.
    ///
    /// `prompter` asks about the call; `asker` asks for the passphrase unless a program on the bus calls.
    init(
        _ parts: ControlParts,
        _ caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ asker: (any UnlockAsker)?
    ) {
        self.asker = asker
        self.parts = parts
        self.caller = caller
        self.prompter = prompter
    }

    /// Opens the vault if necessary, asks the gate, and runs the operation.
    ///
    /// For a program on the bus the gate decides again if another change came between its decision and the operation.
    func answer(
        _ call: VaultCall,
        for program: BusCaller? = nil,
        _ interest: Cancellation
    ) throws(AgentError) -> VaultAnswer {
        let call = try prepared(call)
        let core = parts.core
        let open =
            if let program {
                try parts.unlock(for: program, caller, prompter, interest)
            } else {
                try core.unlock(asking: asker, by: caller.peer, interest)
            }
        try check(open)
        var tries = program == nil ? 1 : Self.tries
        while true {
            tries -= 1
            let pass: GatePass
            do throws(Refusal) {
                pass =
                    if let program {
                        try parts.gate.permit(call.request, for: program, interest)
                    } else {
                        try parts.gate.permit(call.request, of: caller, prompter, interest)
                    }
            } catch {
                // The error may come from the vault's file.
                try checkReadable(open)
                throw .refused(error)
            }
            do throws(AgentError) {
                let answer = try act(call, for: pass.caller, on: open)
                do throws(Refusal) { try parts.gate.confirm(pass) } catch { throw AgentError.refused(error) }
                if call.request.policy.exposure != .names { core.touchUse() }
                return answer
            } catch {
                guard error == .vault(.item(.changedMeanwhile)), tries > 0 else { throw error }
            }
        }
    }

    private func prepared(_ call: VaultCall) throws(AgentError) -> PreparedCall {
        do throws(VaultError) {
            return try OperationTable.prepare(call)
        } catch {
            throw .vault(error)
        }
    }

    private func act(
        _ call: PreparedCall,
        for asking: Caller,
        on open: OpenVault
    ) throws(AgentError) -> VaultAnswer {
        do throws(VaultError) {
            return try open.use { () throws(VaultError) in
                try Blocking.wait { () async throws(VaultError) in
                    try await call.answer(on: open.vault, for: asking)
                }
            }
        } catch {
            if Self.isEnd(error) {
                parts.core.lock(error == .store(.rekeyed) ? .rekeyed : .vaultGone)
                // A vault that was moved leaves an old copy behind. The next program that opens the vault finds out
                // whether that happened, or an old copy was put back.
                if case .store(.rollback) = error { throw .refused(.vaultGone) }
            }
            throw error == .store(.locked) ? .refused(.locked) : .vault(error)
        }
    }

    /// A removed file stays readable while it is open here, but writes to it would be lost.
    private func check(_ open: OpenVault) throws(AgentError) {
        guard !open.isInPlace else { return }
        parts.core.lock(.vaultGone)
        throw .refused(.vaultGone)
    }

    /// A vault that was moved, or replaced by an old copy, must not be read again.
    private func checkReadable(_ open: OpenVault) throws(AgentError) {
        do throws(StoreError) {
            _ = try open.generation()
        } catch {
            guard Self.isEnd(.store(error)) else { return }
            guard error != .rekeyed else {
                parts.core.lock(.rekeyed)
                throw .vault(.store(error))
            }
            parts.core.lock(.vaultGone)
            throw .refused(.vaultGone)
        }
    }

    /// Whether an error means that the open vault no longer exists.
    private static func isEnd(_ error: VaultError) -> Bool {
        switch error {
        case .store(.rekeyed), .store(.rollback), .store(.fork), .store(.corrupt), .store(.tampered),
            .store(.schemaTampered), .store(.notAVault), .store(.unsafeFile):
            true
        default: false
        }
    }
}
