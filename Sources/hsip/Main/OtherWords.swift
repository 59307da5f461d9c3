internal import Presentation

/// Commands of other programs (pass, gopass, rbw, op, keepassxc-cli, gh, ssh-keygen), and the corresponding commands
/// here.
enum OtherWords {
    /// First words that can mean one command only, which is executed.
    private static let plain: [String: [String]] = [
        "get": ["secret", "get"], "show": ["secret", "show"],
        "ls": ["secret", "list"], "list": ["secret", "list"],
        "search": ["secret", "list"], "find": ["secret", "list"],
        "otp": ["secret", "totp"], "totp": ["secret", "totp"], "code": ["secret", "totp"],
        "passwd": ["vault", "passphrase"], "passphrase": ["vault", "passphrase"],
    ]

    /// Former names of commands, which are still accepted, but not shown.
    private static let renamed: [[String]: [String]] = [
        ["vault", "verify"]: ["vault", "check"],
        ["identity", "revoke"]: ["identity", "revocation-notice"],
        ["secret", "gifts"]: ["secret", "shared"],
        ["agent", "quiet"]: ["agent", "blocked"],
        ["contact", "trust-new-key"]: ["contact", "replace-key"],
        ["ssh", "host", "replace"]: ["ssh", "host", "replace-key"],
    ]

    /// First words whose command is only suggested, because it writes or needs a choice.
    private static let proposed: [String: String] = [
        "add": "hsip secret set NAME", "insert": "hsip secret set NAME", "new": "hsip secret set NAME",
        "create": "hsip secret set NAME", "set": "hsip secret set NAME", "edit": "hsip secret edit NAME",
        "generate": "hsip secret generate NAME", "gen": "hsip secret generate NAME",
        "mv": "hsip secret mv NAME NEW", "rename": "hsip secret mv NAME NEW",
        "move": "hsip secret mv NAME NEW",
        "cp": "hsip secret cp NAME NEW", "copy": "hsip secret get NAME --copy",
        "clip": "hsip secret get NAME --copy",
        "rm": "hsip secret rm NAME", "remove": "hsip secret rm NAME", "delete": "hsip secret rm NAME",
        "restore": "hsip secret restore NAME", "check": "hsip secret check", "read": "hsip secret get NAME",
        "item": "hsip secret list", "inject": "hsip secret inject < TEMPLATE",
        "grep": "hsip secret list WORD",
        "import": "hsip vault import FILE", "export": "hsip vault export --to hsip -o FILE",
        "backup": "hsip vault backup FILE", "join": "hsip setup sync join",
        "share": "hsip secret send NAME --to CONTACT", "send": "hsip encrypt NAME",
        "receive": "hsip decrypt", "open": "hsip unlock", "signin": "hsip unlock", "login": "hsip unlock",
        "auth": "hsip unlock", "close": "hsip lock", "signout": "hsip lock", "logout": "hsip lock",
        "keygen": "hsip ssh key generate NAME", "ssh-keygen": "hsip ssh key generate NAME",
        "ssh-add": "hsip ssh key import FILE", "key": "hsip ssh key list", "keys": "hsip ssh key list",
        "invite": "hsip pair", "meet": "hsip pair", "connect": "hsip pair", "scan": "hsip accept --camera",
        "kit": "hsip vault kit", "recovery": "hsip vault kit", "rekey": "hsip vault rekey",
        "repair": "hsip vault repair", "migrate": "hsip vault migrate", "slots": "hsip vault slot list",
        "slot": "hsip vault slot list", "shares": "hsip vault shares list",
        "password": "hsip secret get NAME", "passwords": "hsip secret list", "note": "hsip secret set NAME",
        "save": "hsip secret set NAME", "store": "hsip secret set NAME", "tree": "hsip secret list --tree",
        "withdraw": "hsip secret withdraw NAME --from CONTACT",
        "unshare": "hsip secret withdraw NAME --from CONTACT", "revoke": "hsip session revoke CONTACT",
        "host": "hsip ssh host list", "hosts": "hsip ssh host list", "whoami": "hsip identity show",
        "log": "hsip audit", "history": "hsip audit", "rule": "hsip agent rule list",
        "rules": "hsip agent rule list", "fix": "hsip doctor --fix", "start": "hsip init",
        "signup": "hsip init", "register": "hsip init", "message": "hsip encrypt NAME",
        "git": "hsip setup git", "docker": "hsip setup docker",
        "settings": "hsip config", "contacts": "hsip contact list", "secrets": "hsip secret list",
        "edit-config": "hsip config", "machines": "hsip machine", "devices": "hsip machine",
    ]

    /// Options that have another name here.
    private static let options: [String: [String: String]] = [
        "agent rule add": [
            "--key": "--subject", "--ends": "--for", "--until": "--for", "--expires": "--for",
            "--through": "--via", "--jump": "--via",
        ]
    ]

    /// Returns the option of a command that a word probably means.
    static func option(for word: String, of path: [String]) -> String? {
        options[path.joined(separator: " ")]?[word]
    }

    /// Words after a noun that mean a command of another group.
    private static let elsewhere: [String: String] = [
        "contact add": "hsip accept", "contact new": "hsip accept", "contact create": "hsip accept",
        "contact invite": "hsip pair", "contact verify": "hsip verify",
        "vault list": "hsip status", "vault ls": "hsip status", "vault status": "hsip status",
        "vault show": "hsip status", "vault init": "hsip init", "vault new": "hsip init",
        "vault create": "hsip init", "vault unlock": "hsip unlock", "vault open": "hsip unlock",
        "vault lock": "hsip lock", "vault close": "hsip lock", "vault passwd": "hsip vault passphrase",
        "vault password": "hsip vault passphrase",
    ]

    /// Verbs after a noun: `hsip secret ls`, `hsip contact delete`; the first existing verb is used.
    private static let verbs: [String: [String]] = [
        "ls": ["list"], "dir": ["list"], "search": ["list"], "find": ["list"], "grep": ["list"],
        "cat": ["get", "show"], "view": ["show"], "info": ["show"], "print": ["get", "show"], "read": ["get"],
        "add": ["import", "set", "generate"], "insert": ["set"], "new": ["set", "generate", "add"],
        "create": ["set", "generate", "add"], "gen": ["generate"], "edit": ["set"], "copy": ["cp"],
        "delete": ["rm"], "del": ["rm"], "remove": ["rm"], "rename": ["mv", "set"], "move": ["mv"],
        "otp": ["totp"], "code": ["totp"], "undelete": ["restore"], "trash": ["list"],
    ]

    /// Translates words into commands of this program; `hsip get X` is `hsip secret get X`, and `ls` is `list`
    /// everywhere.
    static func translated(_ words: [String]) -> [String] {
        let isHelp = words.first == "help"
        var words = isHelp ? Array(words.dropFirst()) : words
        if let first = words.first, let path = plain[first] { words = path + words.dropFirst() }
        for count in 2...3 {
            if let path = renamed[Array(words.prefix(count))] { words = path + words.dropFirst(count) }
        }
        if words.count > 1, let place = words.prefix(3).firstIndex(of: "ls"), place > 0,
            CommandWords(Array(words[..<place])).hasCommand("list")
        {
            words[place] = "list"
        }
        return isHelp ? ["help"] + words : words
    }

    /// Returns the command line that a word probably means among `names`, with the words after it.
    static func proposal(
        for word: String,
        behind path: [String],
        among names: [String],
        before rest: [String]
    ) -> String? {
        let word = word.lowercased()
        let things = rest.prefix { !$0.hasPrefix("-") }
        guard !path.isEmpty else { return proposed[word].map { filled($0, with: things) } }
        if let command = elsewhere[(path + [word]).joined(separator: " ")] { return command }
        guard let verb = verbs[word]?.first(where: { names.contains($0) }) else { return nil }
        return (["hsip"] + path + [verb] + things.prefix(1).map(ShellWord.quoted)).joined(separator: " ")
    }

    /// Returns a command with the typed words inserted for its placeholders.
    ///
    /// The recipient stays a placeholder: in other programs that word is the message.
    private static func filled(_ command: String, with things: ArraySlice<String>) -> String {
        guard !command.hasPrefix("hsip encrypt") else { return command }
        var left = things
        let words = command.split(separator: " ").map { word in
            guard ["NAME", "NEW", "FILE", "WORD", "CONTACT"].contains(word), let thing = left.popFirst()
            else {
                return String(word)
            }
            return ShellWord.quoted(thing)
        }
        return words.joined(separator: " ")
    }
}
