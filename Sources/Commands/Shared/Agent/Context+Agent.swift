package import AgentProtocol
package import Presentation
internal import System
internal import VaultLifecycle

extension Context {
    /// Where the agent of the vault listens.
    package func agentPaths() throws -> AgentPaths {
        let place = try place()
        return try AgentPaths(
            vault: place.key,
            environment: variables(["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"])
        )
    }

    /// A connection to the vault's agent; nil if no agent listens.
    ///
    /// The agent asks its questions at this terminal.
    ///
    /// - Throws: a refusal when another program, another vault or another version answers.
    package func connectToAgent() throws -> AgentClient? {
        if let agent { return agent }
        let path = try agentPaths().control
        guard Path.exists(path) else { return nil }
        let caller = TerminalCaller(terminal, output.display) { [output] in output.note($0) }
        let hello = Hello(
            program: "hsip \(ProductVersion.text)",
            vault: try place().file,
            features: [Hello.pin, Hello.touch],
            asks: try asking(),
            environment: variables(Hello.variables)
        )
        do throws(AgentError) {
            agent = try AgentClient(path, hello: hello, asking: caller, reading: .inPlace) {
                (greet) throws(AgentError) in
                try Hardening.visibly(greet)
            }
        } catch .noAgent {
            return nil
        }
        self.caller = caller
        return agent
    }

    /// The agent, if this command uses the vault through it; nil if this process opens the vault.
    ///
    /// While the agent is unlocked, the command uses it. If it is locked and a secret was named for this command, this
    /// process opens the vault, for this command alone. Otherwise the agent is unlocked, and asks at this terminal.
    ///
    /// If the agent of another vault answers, this process opens the vault and warns about it.
    package func agentForWork() async throws -> AgentClient? {
        guard !globals.avoidsAgent else { return nil }
        let isKnown = agent != nil
        let found: AgentClient?
        do {
            found = try connectToAgent()
        } catch AgentError.refused(.otherVault) {
            output.warn(
                Warning(
                    "agentPassedOver",
                    "the running agent serves another vault, so hsip opened this vault itself",
                    hint: try ownAgentHint()
                )
            )
            globals.avoidsAgent = true
            return nil
        }
        guard let agent = found else { return nil }
        let isNamed = try unlockSource()?.isNamed ?? false || globals.way != nil
        guard isNamed || globals.leavesLocked else { return agent }
        // The agent's greeting has its status, which is still valid if no request was sent since.
        let greeted = isKnown ? nil : agent.agent.isLocked
        let isLocked: Bool
        if let greeted { isLocked = greeted } else { isLocked = try await agent.status().isLocked }
        guard isLocked else { return agent }
        guard !isNamed else { return nil }
        // Connect again as a caller whose person cannot be asked: the agent may still open the vault by itself.
        globals.asksNothing = true
        self.agent = nil
        return try connectToAgent()
    }

    /// The running agent; an error if no agent listens.
    package func runningAgent() throws -> AgentClient {
        guard let agent = try connectToAgent() else {
            guard Path.exists(try agentPaths().control) else { throw AgentError.noAgent }
            throw Failure.deadAgent
        }
        return agent
    }

    /// The command that starts an agent for this vault beside that of another: each vault path has its own sockets.
    func ownAgentHint() throws -> String {
        "hsip --vault \(ShellWord.path(try place().file)) unlock"
    }

    /// Refuses `--no-agent` for a command that needs the agent.
    package func refuseNoAgent(_ command: String) throws(Failure) {
        guard globals.avoidsAgent else { return }
        throw Failure.usage(
            "hsip \(command) needs the agent, and --no-agent excludes it",
            hint: "hsip \(command)"
        )
    }

    /// Sends the agent a request.
    ///
    /// If the agent's question failed at this terminal, that failure is thrown instead of the agent's error.
    @discardableResult
    package func ask<R>(_ agent: AgentClient, _ act: (AgentClient) async throws -> R) async throws -> R {
        do {
            return try await act(agent)
        } catch {
            throw caller?.takeFailure() ?? error
        }
    }

    /// The program that asks the person: this terminal or a window of the agent, by the user's setting; `nobody` if no
    /// question is allowed.
    private func asking() throws -> Hello.Asking {
        guard !globals.asksNothing, !console.refusesInput else { return .nobody }
        if asksHere, terminal.isAvailable { return .terminal }
        let word = try ConfigFile(path: place().configPath).setting("prompt")
        switch word.flatMap({ PromptChoice(rawValue: $0) }) ?? .auto {
        case .auto: return terminal.isAvailable ? .terminal : .agent
        case .terminal: return terminal.isAvailable ? .terminal : .nobody
        case .pinentry: return .agent
        }
    }

    private func variables(_ names: [String]) -> [String: String] {
        var variables: [String: String] = [:]
        for name in names { variables[name] = environment[name] }
        return variables
    }
}
