internal import Console
internal import VaultKit
internal import VaultPolicy

/// What the refusals of the audit log and of the policy's rules mean for a person.
enum PolicyTexts {
    /// What happened, and one command that helps.
    static func explain(_ error: AuditError) -> Failure {
        let (message, hint): (String, String?) =
            switch error {
            case .noPlace: ("there is no place for the audit log, and this is not done without it", nil)
            case .unsafePlace(let path):
                ("another user could change the audit log: \(path)", "hsip doctor")
            case .busy: ("another program holds the audit log", "try again")
            case .diskFull: ("there is no room for the audit log, and this is not done without it", nil)
            case .badKey: ("the key of the audit log in the vault is damaged", "hsip vault verify")
            case .failed(let code):
                (
                    "the audit log cannot be used (error \(code)), and this is not done without it",
                    "hsip doctor"
                )
            }
        return Failure(status: error.exitCode, code: error.name, message: message, hint: hint)
    }

    /// What is said of an act that went on without an entry.
    static func unlogged(_ error: VaultError) -> String {
        let reason =
            switch error {
            case .audit(.noPlace): "its folder cannot be written"
            case .audit(.diskFull): "the disk is full"
            case .audit(.failed(let code)): "error \(code) of the system"
            default: Failures.explain(error).message
            }
        return "this is not in the audit log: \(reason)"
    }

    /// What happened, and one command that helps.
    static func explain(_ error: RuleRefusal) -> Failure {
        let (message, hint): (String, String?) =
            switch error {
            case .bad(let reason): (text(of: reason), "hsip agent rule add --help")
            case .nameTaken: ("another rule has this name", "hsip agent rule list")
            case .unknown: ("there is no such rule", "hsip agent rule list")
            case .tooMany: ("there are as many rules as a vault keeps", "hsip agent rule rm NAME")
            case .damaged: ("a rule in the vault cannot be read", "hsip vault verify")
            }
        return Failure(status: error.exitCode, code: error.name, message: message, hint: hint)
    }

    private static func text(of error: RuleError) -> String {
        switch error {
        case .badName: "the name of a rule is 1–64 of a–z, 0–9 and dashes"
        case .badValue: "a value of the rule is empty, too long or not plain text"
        case .badProgram: "a program is named by the absolute path of its file"
        case .allowsEverything: "a rule that allows has to say what: a kind, a key, a program, a host"
        case .neverCovered: "bytes without a known meaning are asked about each time; no rule allows them"
        }
    }
}
