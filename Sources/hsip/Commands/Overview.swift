internal import ArgumentParser
internal import Console
internal import FileStore

/// `hsip` alone: how things stand, and the five commands of every day.
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
        ("hsip pair", "show my code to somebody"),
        ("hsip accept", "take their code"),
        ("hsip verify NAME", "compare, once, that nobody is in between"),
        ("hsip encrypt NAME", "one text in, one message out"),
        ("hsip decrypt", "open what is for me"),
    ]

    func run(_ context: Context) async throws {
        let place = try context.place()
        let isThere = Path.exists(place.file)
        try context.output.line(try status(place, isThere: isThere, context))
        for (command, purpose) in isThere ? Self.everyDay : [("hsip init", "make a vault and an identity")] {
            let gap = String(repeating: " ", count: max(1, 20 - command.count))
            try context.output.line("  \(command)\(gap)\(purpose)")
        }
        let id = isThere ? try context.checkRecord(place).vaultID : nil
        try context.output.succeed(["vault": id.map { .vault(place, id: $0) } ?? .null])
    }

    private func status(_ place: VaultPlace, isThere: Bool, _ context: Context) throws -> String {
        guard isThere else { return "There is no vault yet." }
        return "Vault \(context.path(place.file).shown), encrypted file, locked."
    }
}
