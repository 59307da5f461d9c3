package import AgentProtocol
internal import Presentation
package import System
package import Text
internal import VaultLifecycle

/// Whether the agent runs as it should, and whether ssh finds it.
package struct AgentChecks {
    private let paths: AgentPaths
    /// This program's version.
    private let version: String
    private let environment: Environment
    private let display: Display
    private let connect: () throws -> AgentClient?

    package init(
        _ paths: AgentPaths,
        version: String,
        _ environment: Environment,
        _ display: Display,
        connect: @escaping () throws -> AgentClient?
    ) {
        (self.paths, self.version, self.connect) = (paths, version, connect)
        (self.environment, self.display) = (environment, display)
    }

    /// Nothing where none is there and nothing waits for one.
    package func findings() async -> [Finding] {
        if let folder = missingFolder() { return [folder] }
        guard Path.exists(paths.control) else { return [] }
        do {
            guard let agent = try connect() else { return [dead] }
            let status = try await agent.status()
            return state(status) + plain(status) + keys()
        } catch {
            return [.problem(.agent, Failure(error))]
        }
    }

    /// The folder that this login has for sockets is not there: an agent can neither start nor be found.
    private func missingFolder() -> Finding? {
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), !Path.exists(folder)
        else { return nil }
        return Finding(
            check: .agent,
            state: .warning,
            message: "$XDG_RUNTIME_DIR is \(shown(folder)), and that folder does not exist",
            reason:
                "the agent cannot start; if the variable is unset, its sockets are in ~/.local/state/hsip/run",
            hint: "unset XDG_RUNTIME_DIR"
        )
    }

    /// A socket that no process serves: the agent was killed.
    private var dead: Finding {
        Finding(
            check: .agent,
            state: .warning,
            message: Failure.deadAgent.message,
            reason: "the agent refuses every program",
            hint: "hsip agent start"
        )
    }

    private func state(_ status: AgentStatus) -> [Finding] {
        var found: [Finding] = []
        if status.program != "hsip-agent \(version)" {
            found.append(
                Finding(
                    check: .agent,
                    state: .warning,
                    message:
                        "the running agent is \(shown(status.program)), and this is hsip \(version)",
                    reason: "the agent was started before an update",
                    hint: "hsip agent restart"
                )
            )
        }
        if !status.isMemoryLocked {
            found.append(
                Finding(
                    check: .agent,
                    state: .warning,
                    message: "the agent cannot lock its memory",
                    reason: "the system may write a key to swap",
                    hint: "ulimit -l"
                )
            )
        }
        if status.hooks.isEmpty {
            found.append(
                Finding(
                    check: .agent,
                    state: .notice,
                    message: "the agent cannot detect sleep or screen lock, because logind is not running",
                    reason: "the agent locks only after its time limits",
                    hint: "hsip lock"
                )
            )
        }
        if status.questions == .nobody || status.questions == .console {
            found.append(
                Finding(
                    check: .agent,
                    state: .notice,
                    message: "the agent cannot ask you: it has no display, no terminal or no pinentry",
                    reason: "ssh is refused if a key or rule needs confirmation, or if the vault is locked",
                    hint: "hsip agent terminal"
                )
            )
        }
        let state = status.isLocked ? "locked" : "open"
        return found.isEmpty
            ? [.fine(.agent, "the agent is running, is \(state), and locks on sleep and screen lock")] : found
    }

    /// Programs whose values any program that watches the bus could read.
    private func plain(_ status: AgentStatus) -> [Finding] {
        let count = status.plainPrograms
        guard count > 0 else { return [] }
        return [
            Finding(
                check: .provider,
                state: .notice,
                message:
                    "\(count) program\(count == 1 ? "" : "s") had secrets over the bus without encryption",
                reason: "programs that may watch the session bus can read these secrets",
                hint: "hsip config service.plain refuse"
            )
        ]
    }

    /// Who answers where ssh and git look for an agent.
    private func keys() -> [Finding] {
        guard let socket = environment["SSH_AUTH_SOCK"], socket != paths.ssh else { return [] }
        return [
            Finding(
                check: .agent,
                state: .notice,
                message: "$SSH_AUTH_SOCK points to \(owner(of: socket)), not to the agent of this vault",
                reason: "git and ssh-add use that agent; ssh does, too, unless hsip setup ssh was used",
                hint: "eval \"$(hsip agent env)\""
            )
        ]
    }

    private func owner(of socket: String) -> String {
        let owners = [
            ("/keyring/", "GNOME Keyring"), ("/gcr/", "gcr-ssh-agent"), ("/gnupg/", "gpg-agent"),
            ("/openssh_agent", "ssh-agent"), ("/ssh-", "ssh-agent"), ("keepassxc", "KeePassXC"),
            ("/hsip/", "the agent of another vault"),
        ]
        return owners.first { socket.lowercased().contains($0.0) }?.1 ?? shown(socket)
    }

    private func shown(_ text: String) -> String { display.cell(text) }
}
