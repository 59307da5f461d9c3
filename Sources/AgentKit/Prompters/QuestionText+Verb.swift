internal import SafeText
internal import VaultPolicy

extension QuestionText {
    /// What somebody wants to do, behind “Allow … to”.
    static func verb(_ act: Act) -> String {
        switch act {
        case .sign(let key, .login(let user, let host), _):
            let place = host?.names.first.map { " on \(display.cell($0, columns: hostColumns))" } ?? ""
            return "log in as \(display.name(user))\(place) with the key \(display.name(key.name))"
        case .sign(let key, .file, _): return "sign with the key \(display.name(key.name))"
        case .sign(let key, .certificate, _):
            return "sign a certificate with the key \(display.name(key.name))"
        case .sign(let key, .raw, _): return "sign unknown data with the key \(display.name(key.name))"
        case .read(let operation, let name): return reading(operation, name)
        case .use(let operation, let name): return "use \(secret(operation)) \(display.name(name))"
        }
    }

    /// What is a read of a secret, or counts as one.
    private static func reading(_ operation: String, _ name: String) -> String {
        let shown = display.name(name)
        switch operation {
        case "rule.add", "rule.remove": return "change the rule \(shown)"
        case "identity.revocation": return "have the notice that revokes your identity"
        case "vault.export" where name.isEmpty: return "have \(allSecrets) of the vault"
        case "vault.export": return "have the private key \(shown)"
        case "secret.export": return "have \(allSecrets) of the vault"
        case "secret.set", "secret.remove": return "find out whether it knows the secret \(shown)"
        case "secret.move": return "give the secret \(shown) another name"
        case "secret.import", "secret.import-trial", "vault.import-trial":
            return "find out which secrets of the vault it knows"
        case "secret.check": return "find out which passwords of the vault are weak, and which are the same"
        case "vault.import": return "add secrets, keys and hosts to the vault"
        case "ssh-key.set": return "change when the key \(shown) may be used"
        case "ssh-key.restore": return "use the key \(shown) again, which is in the trash"
        case "text-history": return "have the history of texts under typed keys"
        case "contact.set": return "change the name or the settings of the contact \(shown)"
        case "code.accept", "message.accept":
            return name.isEmpty ? "accept a code" : "accept a code for \(shown)"
        case "session.import": return "add a session with \(shown)"
        default: break
        }
        if operation.hasPrefix("host-keys.") {
            return "change which keys of \(name.isEmpty ? "hosts" : "the host \(shown)") are believed"
        }
        if operation.hasPrefix("ssh-host.") {
            return name.isEmpty ? "change where hosts lead" : "change where the host \(shown) leads"
        }
        if operation.hasPrefix("contact.") { return "change how far \(shown) is believed" }
        return "have \(secret(operation)) \(shown)"
    }

    /// Whether an operation lets out what it names, instead of doing something else that counts as a read.
    static func letsOut(_ operation: String) -> Bool { reading(operation, "").hasPrefix("have ") }

    /// What is told of all secrets without letting one out.
    static func tellsOfAll(_ operation: String) -> Bool {
        ["secret.check", "secret.import", "secret.import-trial", "vault.import", "vault.import-trial"]
            .contains(operation)
    }

    private static let allSecrets = "all passwords, tokens, notes and files"

    /// What an act is done to, among others; only what has a name is in quotes.
    static func subject(_ act: Act) -> String {
        if case .read("vault.export", "") = act { return allSecrets }
        if case .read("secret.export", "") = act { return allSecrets }
        return display.name(act.subject)
    }

    /// What an operation of the vault is about, in words.
    private static func secret(_ operation: String) -> String {
        switch operation.split(separator: ".").first {
        case "ssh-key": "the private key"
        case "session", "message", "code": "the session with"
        default: "the secret"
        }
    }
}
