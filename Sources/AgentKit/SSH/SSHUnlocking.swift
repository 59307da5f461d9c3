/// Opens the vault for ssh: the agent itself asks, as nobody has a terminal on that socket.
package struct SSHUnlocking: SSHVaultSource {
    private let core: AgentCore
    private let prompter: (any Prompter)?

    /// - Parameter prompter: nil where nobody can be asked: then ssh waits for nothing.
    package init(core: AgentCore, prompter: (any Prompter)?) {
        self.core = core
        self.prompter = prompter
    }

    package func unlock(for connection: Connection, until interest: Cancellation) -> Bool {
        let asker = prompter.map { PrompterAsker($0, tries: 1) }
        do {
            _ = try core.unlock(asking: asker, interest)
            return true
        } catch {
            return false
        }
    }

    package func noteUse() { core.touchUse() }
}
