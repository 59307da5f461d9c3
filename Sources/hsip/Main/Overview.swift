internal import AgentProtocol
internal import ArgumentParser
internal import CommandKit
internal import Console
internal import SafeText
internal import VaultLifecycle

/// `hsip` alone: the state of the vault, and the screen of commands.
///
/// Asks nothing and unlocks nothing.
struct Overview: Command {
    static let path = "hsip"
    static let configuration = CommandConfiguration(
        commandName: "overview",
        abstract: "Show the vault's state and the commands.",
        shouldDisplay: false
    )

    func run(_ context: Context) async throws {
        let place = try context.place()
        let isRecorded = try context.config(place).record(of: place.key) != nil
        let found = isRecorded || Path.exists(place.file) ? try context.find(place) : nil
        let isOpen = found == nil ? false : await isOpenInAgent(context)
        try context.output.sentence(status(place, found, isOpen: isOpen, context))
        let columns = HelpText.columns(in: context.console)
        try context.output.line("\n" + HelpScreen.text(columns: columns))
        try context.output.succeed([
            "vault": found.map { .vault(place, id: $0.vaultID, $0.backend) } ?? .null
        ])
    }

    private func isOpenInAgent(_ context: Context) async -> Bool {
        guard !context.globals.avoidsAgent, let agent = try? context.connectToAgent(),
            let status = try? await agent.status()
        else { return false }
        return !status.isLocked
    }

    private func status(
        _ place: VaultPlace,
        _ found: FoundVault?,
        isOpen: Bool,
        _ context: Context
    ) -> String {
        switch found {
        case nil: "There is no vault yet."
        case .file:
            "Vault \(context.path(place.file).shown), encrypted file, "
                + (isOpen ? "open in the agent." : "locked. To open it: hsip unlock")
        case .keyring(let record): "Vault in the keyring \(context.output.display.cell(record.label))."
        }
    }
}
