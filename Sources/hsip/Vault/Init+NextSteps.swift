internal import Commands
internal import Presentation
internal import VaultCrypto

/// The last questions and hints at a terminal, once the vault is made.
extension Init {
    /// Offers to unlock the vault by the passphrase that was just chosen, then names the next commands.
    func tellNextSteps(after passphrase: Secret?, hasIdentity: Bool, _ context: Context) async throws {
        guard context.console.outputIsTerminal, !context.isJSON else { return }
        var steps: [(command: String, effect: String)] = []
        if let passphrase, try await !unlock(by: passphrase, context) {
            steps.append(("hsip unlock", "open the vault once"))
        }
        steps.append(("hsip secret set mail", "save a password"))
        steps.append(("hsip setup ssh", "log in with SSH keys"))
        if hasIdentity { steps.append(("hsip pair", "exchange encrypted messages")) }
        for (index, step) in steps.enumerated() {
            let head = index == 0 ? "Next      " : "          "
            let command = context.globals.sameVault(step.command)
            let gap = String(repeating: " ", count: max(2, 22 - command.count))
            context.output.say(head + command + gap + step.effect)
        }
    }

    /// Whether the vault is open afterwards; a locked vault is complete too, so a failure is only reported.
    private func unlock(by passphrase: Secret, _ context: Context) async throws -> Bool {
        guard context.terminal.isAvailable, !context.globals.saysYes, !context.globals.avoidsAgent,
            AgentLauncher.program(context.environment) != nil
        else { return false }
        // The vault is made: a question that is left, or cannot be asked, stops nothing.
        guard (try? isWanted(context)) == true else { return false }
        do {
            let agent = try await context.openInAgent(with: passphrase)
            let state = try await AgentSheet(agent, context).state(context.output.display).shown
            context.output.note("the vault is \(state)")
            return true
        } catch {
            context.output.warn(
                Warning(
                    "agentWarning",
                    "the vault is made, but still locked: \(Failure(error).message)",
                    hint: "hsip unlock"
                )
            )
            return false
        }
    }

    /// Enter alone is yes: the person has just proved that they know the passphrase.
    private func isWanted(_ context: Context) throws -> Bool {
        let question = "Unlock the vault now with this passphrase?"
        for _ in 0..<3 {
            let answer = try context.terminal.ask(
                question,
                default: "yes",
                flag: nil,
                flushesTypeAhead: true
            )
            switch answer.lowercased() {
            case "y", "yes": return true
            case "n", "no": return false
            default: continue
            }
        }
        return false
    }
}
