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

    /// A connection to the vault's agent; nil where none listens.
    ///
    /// Its questions come to this terminal.
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

    /// The agent, where it is the way to the vault.
    ///
    /// A vault that it has open is used through it. While it is locked, a secret that was named for this command
    /// opens the vault in this process, for this command alone; otherwise the agent is opened, which asks here.
    ///
    /// Where the agent of another vault answers, the vault is opened here, and that is said.
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
        // What it greeted with is as good as its status, unless something has been asked of it since.
        let greeted = isKnown ? nil : agent.agent.isLocked
        let isLocked: Bool
        if let greeted { isLocked = greeted } else { isLocked = try await agent.status().isLocked }
        guard isLocked else { return agent }
        guard !isNamed else { return nil }
        // It is greeted once more, as a caller whose person cannot be asked: it may still open the vault by itself.
        globals.asksNothing = true
        self.agent = nil
        return try connectToAgent()
    }

    /// The agent, which must be there.
    package func runningAgent() throws -> AgentClient {
        guard let agent = try connectToAgent() else {
            guard Path.exists(try agentPaths().control) else { throw AgentError.noAgent }
            throw Failure.deadAgent
        }
        return agent
    }

    /// How this vault gets an agent beside that of another vault: by its path, as a path has sockets of its own.
    func ownAgentHint() throws -> String {
        "hsip --vault \(ShellWord.path(try place().file)) unlock"
    }

    /// Where the agent is what a command is about, nothing is done without it.
    package func refuseNoAgent(_ command: String) throws(Failure) {
        guard globals.avoidsAgent else { return }
        throw Failure.usage(
            "hsip \(command) needs the agent, and --no-agent excludes it",
            hint: "hsip \(command)"
        )
    }

    /// Asks the agent for something; what the person said to its question counts as if it had been asked here.
    @discardableResult
    package func ask<R>(_ agent: AgentClient, _ act: (AgentClient) async throws -> R) async throws -> R {
        do {
            return try await act(agent)
        } catch {
            throw caller?.takeFailure() ?? error
        }
    }

    /// At this terminal, else by a window of the agent's, or as the user has set it; unless no question is allowed.
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
