internal import Presentation

/// What `hsip help` tells about no single command.
enum HelpTopic: String, CaseIterable {
    case options
    case exitCodes = "exit-codes"
    case programs

    /// In lines of at most 80 characters.
    var text: String {
        switch self {
        case .options: Self.optionsText
        case .exitCodes: Self.exitCodesText
        case .programs: Self.programsText
        }
    }

    private static let optionsText = """
        Options of every command, before or after its name:

          --vault NAME|PATH       Use this vault (default: $HSIP_VAULT, else vault).
          --json                  Print one JSON object.
          -q, --quiet             Print no notes, warnings and hints.
          -v, --verbose           Print more details.
          -y, --yes               Answer yes; comparisons still need a person.
          --no-input              Never ask.
          --no-agent              Open the vault without the agent.
          --color WHEN            auto, always or never.
          --passphrase-file FILE  Read the passphrase from the first line of FILE.
          --passphrase-fd N       Read the passphrase from an open descriptor.
          --shares                Open the vault with shares, which people read out.
          --with WAY              Open the vault only by passphrase, recovery, tpm2,
                                  fido2 or the key slot of a number.
          --pin-file FILE         Read a device's PIN from the first line of FILE.
          --last-tries            Spend the last PIN try of a security key, too.
          --old-copy              Read the older copy that --vault names; only with
                                  secret get, secret list and vault export.
        """

    private static var exitCodesText: String {
        let lines = ExitCode.allCases.map { code in
            let number = "\(code.rawValue)"
            return String(repeating: " ", count: 4 - number.count) + number + "  " + code.meaning
        }
        return
            (["Exit codes; their numbers never change:", ""] + lines
            + ["", "hsip run: 125 not started; 126 not executable; 127 not found."]).joined(separator: "\n")
    }

    private static let programsText = """
        Scripts and programs can rely on this:

          --json       hsip prints one JSON object on stdout if it succeeds or fails,
                       and nothing on stderr. Questions still go to the terminal.
                       Ignore keys that you do not know. The schemas are in
                       Schemas/cli, or in /usr/share/doc/hsip-doc/Schemas/cli.
          exit codes   The numbers never change: hsip help exit-codes.
          error codes  error.code in the JSON names the error; Schemas/errors.json
                       lists the names. The sentences may change.
          stdout       Only data; notes, warnings and errors go to stderr. In a pipe,
                       tables have tabs between columns and exact times.
          -q           No notes, warnings and hints; data and errors stay.
          --no-input   hsip never asks. If an answer is missing, the exit code is 7
                       and the hint names the option.

        Text for people may change. Until version 1.0, commands and JSON values may
        get plainer names: see Schemas/cli/README.md. Old command names keep working.
        """
}
