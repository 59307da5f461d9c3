internal import ArgumentParser
internal import Commands
internal import Presentation
internal import RecordStore
internal import Secrets
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A passphrase for a new key slot.
struct NewPassphrase {
    /// In normalisation form C.
    let secret: Secret
    /// It was made here, so its owner has not seen it yet.
    let isMade: Bool

    /// A passphrase that the user chose; refused when it is too short, too long, or looks like a recovery code,
    /// as which it would be taken at the prompt.
    init(_ typed: borrowing SecretBytes, allowsWeak: Bool) throws {
        try Passphrase.check(typed, allowsWeak: allowsWeak)
        guard !TypedSecret.isRecoveryCode(typed) else {
            throw Failure(.denied, "a passphrase must not look like a recovery code")
        }
        secret = try TypedSecret.passphrase(typed)
        guard secret.count <= Unlock.longestPassphrase else {
            throw Failure(.denied, "a passphrase has at most \(Unlock.longestPassphrase) bytes")
        }
        isMade = false
    }

    /// Seven words, drawn at random.
    init() throws {
        var generator = SystemRandomNumberGenerator()
        secret = Secret(try Passphrase.make(using: &generator))
        isMade = true
    }

    /// `Strong, 77 bits`; for a passphrase that a person thought up, an estimate.
    var strength: String {
        isMade ? Passphrase.strength().text : ChosenPassword.strength(of: secret).text
    }
}

extension Context {
    /// A new passphrase: from a file or a descriptor if one is named, else from the person, who may press
    /// Enter for one that is made here.
    ///
    /// What a script gives is taken if it is long enough, with a word where it is easy to guess; what a person thinks up
    /// must be hard to guess.
    func newPassphrase(
        from source: NamedSecret?,
        allowsWeak: Bool,
        flag: String
    ) throws -> NewPassphrase {
        if let source {
            let given = try explaining { try source.secret() }
            let passphrase = try NewPassphrase(given, allowsWeak: allowsWeak)
            noteWeakness(of: passphrase.secret, allowsWeak: allowsWeak)
            return passphrase
        }
        let typed = try newSecret("New passphrase (Enter alone makes one for you)", flag: flag) {
            (secret: borrowing SecretBytes) throws(ConsoleError) in
            try Passphrase.checkTyped(secret, allowsWeak: allowsWeak)
        }
        guard typed.count > 0 else { return try NewPassphrase() }
        let passphrase = try NewPassphrase(typed, allowsWeak: allowsWeak)
        output.say("Passphrase: \(passphrase.strength)")
        return passphrase
    }
}

/// A recovery code for a new key slot: 128 random bits, and their text.
struct NewRecoveryCode {
    /// 16 bytes.
    let secret: Secret
    /// Seven groups of four, ASCII.
    let text: Secret

    init(_ entropy: Entropy = .system) throws {
        secret = Secret(try entropy.secret(RecoveryText.secretSize))
        text = Secret(try RecoveryText.encode(secret))
    }

    /// Whether the user can read it: the typed text is its last block, in any case.
    func endsWith(_ typed: String) -> Bool {
        // As a recovery code is read: O is 0, I and L are 1.
        let folded = typed.uppercased().map { ["O": "0", "I": "1", "L": "1"][$0] ?? $0 }
        let block = text.withBytes { span in
            (RecoveryText.textSize - 4..<RecoveryText.textSize).map { span.byte(at: $0) }
        }
        return String(folded) == String(decoding: block, as: UTF8.self)
    }

    /// The file that `-o` makes: the code and a line feed, so that it can serve as `--passphrase-file`.
    func write(to path: String) throws -> MadeFile? {
        try NewFile.write(try SecretBytes.joined(text, [0x0A]), to: path, "-o")
    }
}

/// How the new secrets of a vault file come about: which passphrase does, and where its recovery code goes.
struct NewSecretOptions: ParsableArguments {
    @Flag(help: "Accept a passphrase that is short or easy to guess.")
    var weak = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "Write the recovery code to this file, not the screen."
    )
    var output: String?

    /// The file of the recovery code; nil to show it.
    var file: String? { NewFile.named(output) }
}
