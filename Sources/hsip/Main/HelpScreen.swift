internal import Console
internal import SafeText

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
        ("", "agent, audit", "What programs may do, and what they did."),
        ("Vault", "vault", "Passphrase, backups, import, repair."),
        ("Setup", "setup", "Connect ssh, git, docker, the desktop."),
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
