internal import AgentProtocol
internal import Console
internal import VaultKit

/// Carries operations to the agent; what the person said to a question of the agent's counts as if it had been asked
/// in this process.
struct CallerCarrier: VaultCarrier {
    private let agent: AgentClient
    private let caller: TerminalCaller?

    init(_ agent: AgentClient, _ caller: TerminalCaller?) {
        self.agent = agent
        self.caller = caller
    }

    /// Carries one call there and its answer back.
    func carry(_ call: VaultCall) async throws -> VaultAnswer {
        do {
            return try await agent.carry(call)
        } catch {
            throw caller?.takeFailure() ?? error
        }
    }
}
