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

extension ExitCode {
    /// The meaning, as Schemas/exit-codes.json has it.
    var meaning: String {
        switch self {
        case .ok: "Done, even with warnings or notes."
        case .failure: "Unexpected failure: a fault of hsip."
        case .usage: "Wrong words or options on the command line."
        case .notFound: "No such contact, secret, key, host, vault or message."
        case .conflict: "The name exists, something changed, or a code no longer fits."
        case .locked: "The vault is locked, and hsip could not ask."
        case .denied: "Refused by a rule, a revocation or a person; or wrong passphrase."
        case .inputNeeded: "An answer is missing; the hint names the option for it."
        case .expired: "A code, session or secret expired, or the clock is wrong."
        case .rekeyRequired: "Renew the session before you send; details have the code."
        case .busy: "A lock, a prompt or a device did not answer in time."
        case .integrity: "Tampering: a wrong signature, an old vault or a wrong sender."
        case .unavailable: "A program, device, folder or memory is missing; or the disk is full."
        case .malformed: "Not a readable code, message, key, name or file."
        case .replay: "A message was read before, or a one-time code was used before."
        case .changed: "A contact or host has another key than the trusted one."
        }
    }
}
