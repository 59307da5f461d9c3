internal import AgentProtocol
internal import Presentation

extension Context {
    /// Warns where something was just set that only a question allows, and the running agent has no way to ask.
    ///
    /// An agent that cannot be reached, or does not say, is no reason to fail: what was set is set.
    package func warnIfAgentCannotAsk() async {
        guard !globals.avoidsAgent, let agent = try? connectToAgent(), let status = try? await agent.status(),
            status.questions == .nobody || status.questions == .console
        else { return }
        output.warn(
            Warning(
                "questionsUnheard",
                "the agent has no display and no terminal to ask you at, so it refuses what ssh asks for",
                hint: "hsip agent terminal"
            )
        )
    }
}
