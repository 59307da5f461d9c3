/// The exit codes: one number for each kind of outcome, equal in the C library, the agent and the JSON.
///
/// Numbers are never reused or changed. `Scripts/errors` generates Schemas/exit-codes.json from this table.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case ok = 0
    case failure, usage, notFound, conflict, locked, denied, inputNeeded, expired, rekeyRequired, busy,
        integrity,
        unavailable, malformed, replay, changed
}

extension ExitCode {
    /// The name in the table.
    package var name: StaticString { row.name }
    /// One sentence for people.
    package var meaning: String { row.meaning }

    private var row: (name: StaticString, meaning: String) {
        switch self {
        case .ok: ("ok", "Done, even with warnings or notes.")
        case .failure: ("failure", "Unexpected failure: a fault of hsip.")
        case .usage: ("usage", "Wrong words or options on the command line.")
        case .notFound: ("notFound", "No such contact, secret, key, host, vault or message.")
        case .conflict: ("conflict", "The name exists, something changed, or a code no longer fits.")
        case .locked: ("locked", "The vault is locked, and hsip could not ask.")
        case .denied: ("denied", "Refused by a rule, a revocation or a person; or wrong passphrase.")
        case .inputNeeded: ("inputNeeded", "An answer is missing; the hint names the option for it.")
        case .expired: ("expired", "A code, session or secret expired, or the clock is wrong.")
        case .rekeyRequired: ("rekeyRequired", "Renew the session before you send; details have the code.")
        case .busy: ("busy", "A lock, a prompt or a device did not answer in time.")
        case .integrity: ("integrity", "Tampering: a wrong signature, an old vault or a wrong sender.")
        case .unavailable:
            ("unavailable", "A program, device, folder or memory is missing; or the disk is full.")
        case .malformed: ("malformed", "Not a readable code, message, key, name or file.")
        case .replay: ("replay", "A message was read before, or a one-time code was used before.")
        case .changed: ("changed", "A contact or host has another key than the trusted one.")
        }
    }
}
