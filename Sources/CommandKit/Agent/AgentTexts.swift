package import Console
internal import VaultDoctor

/// The words for an agent that does not do what was asked.
package enum AgentTexts {
    /// The agent's program could not be started.
    package static func notStarted(_ said: String?) -> Failure {
        Failure(
            .agentNotStarted,
            said ?? "the agent did not start",
            hint: "hsip doctor"
        )
    }

    /// A socket without a listener: the agent was killed.
    static var dead: Failure {
        Failure(ErrorText(.noAgent, AgentChecks.deadText, hint: "hsip agent start"))
    }

    /// There is no `hsip-agent` on this machine.
    package static var notInstalled: Failure {
        Failure(
            .agentNotInstalled,
            "hsip-agent is not installed beside hsip, in /usr/libexec or in $PATH",
            hint: "apt install hsip-agent"
        )
    }
}
