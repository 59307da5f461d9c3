package import Presentation

/// The options that every command accepts, before or after its name.
package struct Globals: Sendable {
    var vault: String?
    // Not `[]`, which is built from an array: every command starts here, so this must be fast.
    package var mode = Output.Mode(rawValue: 0)
    package var color = ColorChoice.auto
    package var saysYes = false
    package var asksNothing = false
    /// Asks no question to unlock anything; an open vault may still ask for approval.
    package var leavesLocked = false
    /// This process opens the vault, even if an agent has it open.
    package var avoidsAgent = false
    /// The file is an older copy of a vault: this process opens it to read only, even if a newer state was seen.
    package var readsOldCopy = false
    package var passphraseFile: String?
    package var passphraseDescriptor: Int32?
    /// The way to open the vault that `--with` names.
    package var way: UnlockWay?
    /// The file of the PIN for a key slot of the TPM or a security key.
    package var pinFile: String?
    /// Gives a PIN to a security key even if a wrong PIN would lock the key for good.
    package var takesLastTries = false
    /// Opens the vault with shares of a recovery secret, which people read out.
    package var asksShares = false

    /// Separates the global options from the other words.
    ///
    /// Everything after `--` is left alone. So is the program of `run` with its arguments: the first word that is not an
    /// option begins it, as if `--` stood before that word.
    ///
    /// An option never contains a passphrase, only the name of its file or the number of a descriptor.
    package static func split(_ arguments: [String]) throws(Failure) -> (Globals, words: [String]) {
        var globals = Globals()
        var words: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words.append(word)
                words += rest
                break
            }
            let (name, attached) = parts(of: word)
            func value() throws(Failure) -> String {
                if let attached { return attached }
                guard let next = rest.popFirst() else {
                    throw Failure.usage("\(name) needs a value", hint: "hsip help")
                }
                return next
            }
            switch name {
            case "--vault": globals.vault = try value()
            case "--json": globals.mode.insert(.json)
            case "-q", "--quiet": globals.mode.insert(.quiet)
            case "-v", "--verbose": globals.mode.insert(.verbose)
            case "-y", "--yes": globals.saysYes = true
            case "--no-input": globals.asksNothing = true
            case "--no-agent": globals.avoidsAgent = true
            case "--old-copy": (globals.readsOldCopy, globals.avoidsAgent) = (true, true)
            case "--color": globals.color = try color(try value())
            case "--passphrase-file": globals.passphraseFile = try value()
            case "--passphrase-fd": globals.passphraseDescriptor = try descriptor(try value())
            case "--pin-file": globals.pinFile = try value()
            case "--last-tries": globals.takesLastTries = true
            // After these commands, `--with` names a backup or its secret.
            case "--with" where !hasOwnWith(words): globals.way = try UnlockWay(try value())
            // For this command, `--shares` is the number of shares to make.
            case "--shares" where !words.starts(with: ["vault", "shares", "make"]):
                guard attached == nil else { throw Failure.usage("--shares cannot have a value here") }
                globals.asksShares = true
            case _ where RunWords.isProgram(word, after: words):
                words += ["--", word] + rest
                rest = []
            default: words.append(word)
            }
        }
        return (globals, words)
    }

    /// The hint with `--vault`, if the person named a vault: its command must not use the default one.
    package func sameVault(_ hint: String) -> String {
        guard let vault, hint.hasPrefix("hsip "), !hint.hasPrefix("hsip help "), !hint.contains("--vault")
        else { return hint }
        return "hsip --vault \(ShellWord.path(vault)) \(hint.dropFirst("hsip ".count))"
    }

    private static func hasOwnWith(_ words: [String]) -> Bool {
        [["vault", "repair"], ["vault", "backup"]].contains { words.starts(with: $0) }
    }

    private static func parts(of word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    private static func color(_ text: String) throws(Failure) -> ColorChoice {
        switch text {
        case "auto": .auto
        case "always": .always
        case "never": .never
        default:
            throw Failure.usage("--color must be auto, always or never", hint: "hsip help")
        }
    }

    private static func descriptor(_ text: String) throws(Failure) -> Int32 {
        guard let number = Int32(text), number >= 0 else {
            throw Failure.usage(
                "--passphrase-fd must be the number of an open descriptor",
                hint: "hsip --passphrase-fd 3 3< FILE"
            )
        }
        return number
    }
}

/// The facts about `run` and `keyring run` that are needed to tell their own words from their program's.
package enum RunWords {
    /// The command without its arguments.
    package static let path = "run"
    /// The words of the command that gives a program a keyring of its own.
    package static let keyring = ["keyring", "run"]
    /// The words of the command that gives a program a lease.
    package static let lease = ["lease", "run"]
    /// The exit code if something fails before the program starts: the program's exit codes are below it.
    package static let failed: Int32 = 125

    /// Whether a word names the program that `run` starts: the first word that is neither an option nor an option's value.
    static func isProgram(_ word: String, after words: [String]) -> Bool {
        guard !word.hasPrefix("-") else { return false }
        return words == keyring || words.first == path && !["--env-file", "--fd"].contains(words.last)
    }
}
