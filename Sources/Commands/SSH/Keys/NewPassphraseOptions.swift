internal import ArgumentParser
internal import Presentation
internal import System
internal import VaultCrypto

/// The passphrase that encrypts exported private keys: typed, read from a file, or none.
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        name: .customLong("new-passphrase-file"),
        help: ArgumentHelp(
            "Read the passphrase from the first line of this file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @Flag(name: .customLong("no-passphrase"), help: "Write the key without encryption.")
    var isOpen = false

    @Option(
        help: ArgumentHelp(
            "To confirm: the key's name, or the number of keys.",
            valueName: "word"
        )
    )
    var expect: String?

    @Flag(help: "Accept a passphrase that is easy to guess.")
    var weak = false

    var isEmpty: Bool { file == nil && !isOpen && expect == nil && !weak }

    /// - Throws: usage for options that exclude each other.
    func check() throws(Failure) {
        guard !isOpen || file == nil else {
            throw Failure.usage("--no-passphrase and --new-passphrase-file exclude each other")
        }
        guard isOpen || expect == nil else {
            throw Failure.usage("--expect needs --no-passphrase")
        }
        guard !isOpen || !weak else {
            throw Failure.usage("--no-passphrase and --weak exclude each other")
        }
    }

    /// The new passphrase; nil for none, which the person confirms by typing `word`.
    ///
    /// The question describes `word` as `named`, such as "the name of the key". Throws `denied` if `--expect` has
    /// another word or the new passphrase is empty, and `refused` if the person types another word.
    func secret(expecting word: String, named: String, _ context: Context) throws -> Secret? {
        if let file {
            let given = try context.keyPassphrase(from: file)
            context.noteWeakness(of: given, allowsWeak: weak)
            return given
        }
        if isOpen {
            if let expect {
                guard expect == word else {
                    throw Failure(
                        .denied,
                        "--expect is not \(named); nothing was done",
                        hint: "--expect \(ShellWord.quoted(word))"
                    )
                }
                return nil
            }
            let isMeant = try context.terminal.typeIt(
                "To write the key without a passphrase, type \(named):",
                expected: word,
                flag: "--expect \(ShellWord.quoted(word))"
            )
            guard isMeant else { throw ConsoleError.refused }
            return nil
        }
        let typed = try context.newFilePassphrase(
            "New passphrase for the file",
            flag: "--new-passphrase-file",
            allowsWeak: weak
        )
        guard typed.count > 0 else {
            throw Failure(.denied, "the passphrase is empty", hint: "--no-passphrase")
        }
        return Secret(typed)
    }
}
