package import Presentation

/// The options that every command takes, before or after its name.
package struct Globals: Sendable {
    var vault: String?
    // Not `[]`, which would be made of an array: every command begins here.
    package var mode = Output.Mode(rawValue: 0)
    package var color = ColorChoice.auto
    package var saysYes = false
    package var asksNothing = false
    /// No question is asked to unlock anything; a vault that is open may still ask for approval.
    package var leavesLocked = false
    /// The vault is opened here, whether an agent has it open or not.
    package var avoidsAgent = false
    /// The file is an older copy of a vault: it is opened here, for reading only, whatever was seen since.
    package var readsOldCopy = false
    package var passphraseFile: String?
    package var passphraseDescriptor: Int32?
    /// The way to open the vault that `--with` names.
    package var way: UnlockWay?
    /// The file of the PIN for a key slot of the TPM or a security key.
    package var pinFile: String?
    /// A PIN is given to a security key although a wrong one would lock it for good.
    package var takesLastTries = false
    /// The vault opens by shares of a recovery secret, which people read out.
    package var asksShares = false

    /// Takes the global options out of the words; everything after `--` is left alone, and so is the program of
    /// `run` with its own words: from the first word on that is no option, as if `--` stood before it.
    ///
    /// A passphrase itself never comes this way: only the name of a file or the number of a descriptor.
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
            // Behind these commands it names a backup, or the secret of one.
            case "--with" where !hasOwnWith(words): globals.way = try UnlockWay(try value())
            // There it says how many are made.
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

    /// A hint about the vault that was named, and not about the usual one.
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

/// What every command line must know of `run` and `keyring run`, whose own words end where those of the program begin.
package enum RunWords {
    /// The command without its arguments.
    package static let path = "run"
    /// The words of the command that gives a program a keyring of its own.
    package static let keyring = ["keyring", "run"]
    /// The words of the command that gives a program a lease.
    package static let lease = ["lease", "run"]
    /// The exit code of what goes wrong before the program starts: those of the program are below it.
    package static let failed: Int32 = 125

    /// Whether a word names the program that `run` starts: it is the first that is neither an option nor the
    /// value of one.
    static func isProgram(_ word: String, after words: [String]) -> Bool {
        guard !word.hasPrefix("-") else { return false }
        return words == keyring || words.first == path && !["--env-file", "--fd"].contains(words.last)
    }
}
