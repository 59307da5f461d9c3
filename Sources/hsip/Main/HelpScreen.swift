internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Text
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

/// The screen of `hsip`, `hsip help` and `hsip --help`: the commands in groups.
enum HelpScreen {
    private typealias Row = (group: String, commands: String, purpose: String)

    /// Where the commands and where their purposes begin.
    private static let columns = (commands: 13, purposes: 39)

    private static let rows: [Row] = [
        ("Get started", "init", "Make a vault."),
        ("", "unlock, lock", "Open or lock the vault."),
        ("", "status, doctor", "Show the vault; find and fix problems."),
        ("Passwords", "secret", "Save, show, generate and share."),
        ("", "run", "Run a program with secrets."),
        ("SSH", "ssh", "Keep keys and hosts for ssh and git."),
        ("People", "pair, accept, verify", "Exchange keys with a contact."),
        ("", "encrypt, decrypt", "Send and read messages and files."),
        ("", "contact, session, identity", "List, change, renew and end."),
        ("Programs", "item, keyring", "Programs' passwords; keyring for tests."),
        ("", "agent, lease, audit", "What programs may do, and what they did."),
        ("Vault", "vault", "Passphrase, backups, import, repair."),
        ("Setup", "setup, sync, machine", "Connect programs and other machines."),
        ("", "config, completion", "Settings; words for your shell."),
        ("More", "text, qr, version", "Texts under a typed key; QR codes."),
    ]

    /// The screen for a width.
    static func text(columns width: Int) -> String {
        let lines = rows.flatMap { row in
            let start = padded(padded(row.group, to: columns.commands) + row.commands, to: columns.purposes)
            // A line goes on below its own beginning.
            let own = row.group.isEmpty ? columns.commands : 0
            return LineWrap.lines(start + " " + row.purpose, to: width, indent: columns.purposes + 1 - own)
        }
        let end = [
            "hsip help COMMAND      Show help; more: man hsip-COMMAND.",
            "hsip help options      Show the options of every command.",
            "hsip help exit-codes, hsip help programs: for scripts.",
        ]
        let title = LineWrap.lines("Keep passwords, SSH keys and messages in one vault.", to: width)
        return (title + [""] + lines + [""] + end).joined(separator: "\n")
    }

    /// The answer to words that ask for the screen or for a topic of help; nil for all others.
    static func answer(to words: [String], columns: Int) -> String? {
        switch words {
        case ["help"], ["--help"], ["-h"]: text(columns: columns)
        default: words.first == "help" && words.count == 2 ? HelpTopic(rawValue: words[1])?.text : nil
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
