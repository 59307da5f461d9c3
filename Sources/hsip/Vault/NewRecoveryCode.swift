internal import CommandKit
internal import Console
internal import Programs
internal import VaultCrypto

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
