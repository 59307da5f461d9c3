internal import AgentProtocol
internal import ArgumentParser
internal import CommandKit
internal import Console
internal import SafeText
internal import VaultLifecycle

/// `hsip` alone: how things stand, and the commands of every day.
///
/// Asks nothing and unlocks nothing.
struct Overview: Command {
    static let path = "hsip"
    static let configuration = CommandConfiguration(
        commandName: "overview",
        abstract: "How things stand, and what to do.",
        shouldDisplay: false
    )

    private static let everyDay = [
        ("hsip pair", "show my code to someone"),
        ("hsip accept", "take their code"),
        ("hsip verify NAME", "compare, once, that no one is in between"),
        ("hsip encrypt NAME", "one text in, one message out"),
        ("hsip decrypt", "open what is for me"),
        ("hsip secret", "keep passwords, and give them to programs"),
        ("hsip ssh", "keys and hosts for ssh and git"),
        ("hsip help", "everything else"),
    ]
    private static let opening = ("hsip unlock", "open the vault once for all of them")
    private static let making = ("hsip init", "make a vault and an identity")

    func run(_ context: Context) async throws {
        let place = try context.place()
        let isRecorded = try context.config(place).record(of: place.key) != nil
        let found = isRecorded || Path.exists(place.file) ? try context.find(place) : nil
        let isOpen = found == nil ? false : await isOpenInAgent(context)
        try context.output.sentence(status(place, found, isOpen: isOpen, context))
        let proposals =
            switch found {
            case nil: [Self.making]
            case .file: isOpen ? Self.everyDay : [Self.opening] + Self.everyDay
            case .keyring: Self.everyDay
            }
        for (command, purpose) in proposals {
            let gap = String(repeating: " ", count: max(1, 20 - command.count))
            try context.output.sentence("  \(command)\(gap)\(purpose)", indent: 20)
        }
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
            "Vault \(context.path(place.file).shown), encrypted file, \(isOpen ? "open in the agent" : "locked")."
        case .keyring(let record): "Vault in the keyring \(context.output.display.cell(record.label))."
        }
    }
}
