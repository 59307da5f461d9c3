internal import AgentProtocol
internal import Console
internal import Programs
internal import VaultOpening

extension Context {
    /// Where the agent of the vault listens.
    func agentPaths() throws -> AgentPaths {
        let place = try place()
        return try AgentPaths(
            vault: place.key,
            environment: variables(["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"])
        )
    }

    /// A connection to the vault's agent; nil where none listens.
    ///
    /// Its questions come to this terminal.
    ///
    /// - Throws: a refusal when another program, another vault or another version answers.
    func connectToAgent() throws -> AgentClient? {
        if let agent { return agent }
        let path = try agentPaths().control
        guard Path.exists(path) else { return nil }
        let caller = TerminalCaller(terminal, output.display)
        let hello = Hello(
            program: "hsip \(Program.version)",
            vault: try place().file,
            asks: try asking(),
            environment: variables(Hello.variables)
        )
        do throws(AgentError) {
            agent = try AgentClient(path, hello: hello, asking: caller, waitsInPlace: true) {
                (greet) throws(AgentError) in
                try Hardening.visibly(greet)
            }
        } catch .noAgent {
            return nil
        }
        self.caller = caller
        return agent
    }

    /// The agent, where it is the way to the vault.
    ///
    /// A vault that it has open is used through it. While it is locked, a secret that was named for this command
    /// opens the vault in this process, for this command alone; otherwise the agent is opened, which asks here.
    func agentForWork() async throws -> AgentClient? {
        guard !globals.avoidsAgent else { return nil }
        let isKnown = agent != nil
        guard let agent = try connectToAgent() else { return nil }
        let isNamed = try UnlockSource.find(globals, environment, terminal)?.isNamed ?? false
        guard isNamed else { return agent }
        // What it greeted with is as good as its status, unless something has been asked of it since.
        if !isKnown, let isLocked = agent.agent.isLocked { return isLocked ? nil : agent }
        return try await agent.status().isLocked ? nil : agent
    }

    /// The agent, which must be there.
    func runningAgent() throws -> AgentClient {
        guard let agent = try connectToAgent() else { throw AgentError.noAgent }
        return agent
    }

    /// Asks the agent for something; what the person said to its question counts as if it had been asked here.
    @discardableResult
    func ask<R>(_ agent: AgentClient, _ act: (AgentClient) async throws -> R) async throws -> R {
        do {
            return try await act(agent)
        } catch {
            throw caller?.takeFailure() ?? error
        }
    }

    /// At this terminal, else by a window of the agent's, or as the person has set it; unless nobody may be asked.
    private func asking() throws -> Hello.Asking {
        guard !globals.asksNothing, !surroundings.refusesInput else { return .nobody }
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
