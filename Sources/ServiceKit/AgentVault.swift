internal import AgentProtocol
internal import VaultKit

/// The agent's vault, for one program on the bus.
struct AgentVault: VaultCarrier {
    let pool: AgentPool
    let behalf: Behalf
    /// Called when the agent waits for a person because of this.
    let asking: @Sendable () -> Void

    /// Its operations.
    var service: any VaultService { CarriedService(self) }

    /// The same, where no person is asked: what needs a question is refused.
    var unasked: AgentVault { AgentVault(pool: pool, behalf: behalf.unasked, asking: {}) }

    /// The same, where a locked vault stays locked: the answer is `isLocked`, and nobody is asked for the passphrase.
    var unopening: AgentVault { AgentVault(pool: pool, behalf: behalf.unopening, asking: asking) }

    /// How it stands; nil where no agent is.
    func status() async throws(AgentError) -> AgentStatus? {
        do throws(AgentError) {
            let answered = try await pool.request(.status, asking: {})
            guard case .status(let status) = answered.reply else { throw .lost(.unexpected) }
            pool.saw(status)
            return status
        } catch .noAgent, .lost {
            return nil
        }
    }

    /// Whether it is locked; without an agent it is.
    func isLocked() async throws(AgentError) -> Bool { try await status()?.isLocked ?? true }

    /// Opens it: the agent asks the person where that is needed.
    func unlock() async throws(AgentError) {
        let answered = try await pool.request(.unlock(source: .ask, for: behalf), asking: asking)
        if case .status(let status) = answered.reply { pool.saw(status) }
    }

    /// Asks the open vault; opens a locked one first.
    ///
    /// A person's no, or none to ask, is a locked vault.
    func opened<R>(_ act: (any VaultService) async throws -> R) async throws -> R {
        do {
            return try await act(unopening.service)
        } catch  where Self.isLocked(error) {
            do { try await unlock() } catch { throw CallFailure.isLocked }
            return try await act(service)
        }
    }

    /// Whether no open vault was reached.
    private static func isLocked(_ error: any Error) -> Bool {
        switch error {
        case AgentError.refused(let refusal): refusal == .locked
        case AgentError.noAgent, AgentError.lost: true
        default: false
        }
    }

    /// Locks it for everybody.
    func lock() async throws(AgentError) { _ = try await pool.request(.lock(for: behalf), asking: {}) }

    func carry(_ call: VaultCall) async throws -> VaultAnswer {
        do throws(AgentError) {
            let answered = try await pool.request(
                .call(operation: call.operation, for: behalf),
                secrets: call.secrets,
                data: call.arguments,
                asking: asking
            )
            guard answered.reply == .answer else { throw .lost(.unexpected) }
            return VaultAnswer(result: answered.pending.data, secrets: answered.pending.secrets)
        } catch {
            if case .vault(let refusal) = error { throw refusal }
            throw error
        }
    }
}
