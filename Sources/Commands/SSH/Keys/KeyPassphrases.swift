package import Presentation
internal import SSHFormats
internal import System
internal import Text
package import VaultCrypto

/// The passphrases of key files: from one file for all of them, or from the person, with three tries each.
final class KeyPassphrases {
    private static let tries = 3

    private let context: Context
    /// The passphrase from `--key-passphrase-file`.
    private let given: Secret?
    /// The passphrase that opened an earlier key: keys of one owner often share a passphrase.
    private var last: Secret?

    /// - Throws: the error of the passphrase file, before any key is read.
    init(_ context: Context, file path: String?) throws(Failure) {
        self.context = context
        given = try path.map { (path) throws(Failure) in try context.keyPassphrase(from: path) }
    }

    /// Opens a key that may have a passphrase.
    ///
    /// - Throws: `passphraseNeeded` if it has one and no user can be asked; `wrongPassphrase` after the last try.
    func open(
        _ shown: String,
        _ body: (Secret?) throws -> PrivateKey
    ) throws -> (key: PrivateKey, hadPassphrase: Bool) {
        do {
            return (try body(nil), false)
        } catch SSHFormatError.passphraseNeeded {}
        if let last, let key = try attempt(last, body) { return (key, true) }
        if let given {
            guard let key = try attempt(given, body) else { throw SSHFormatError.wrongPassphrase }
            return (key, true)
        }
        guard context.terminal.isAvailable else { throw SSHFormatError.passphraseNeeded }
        for left in (0..<Self.tries).reversed() {
            let typed = try context.terminal.askHidden(
                "Passphrase of \(shown)",
                flag: "--key-passphrase-file"
            )
            guard typed.count > 0 else { throw ConsoleError.refused }
            if let key = try attempt(Secret(typed), body) { return (key, true) }
            if left > 0 { context.output.say("hsip: wrong passphrase") }
        }
        throw SSHFormatError.wrongPassphrase
    }

    /// The key, or nil for a wrong passphrase.
    private func attempt(_ secret: Secret, _ body: (Secret?) throws -> PrivateKey) throws -> PrivateKey? {
        do {
            let key = try body(secret)
            last = secret
            return key
        } catch SSHFormatError.wrongPassphrase {
            return nil
        }
    }
}

extension Context {
    /// The first line of a file that only its owner may read.
    package func keyPassphrase(from path: String) throws(Failure) -> Secret {
        do throws(ConsoleError) {
            return Secret(try PassphraseFile.read(path))
        } catch {
            var failure = Failure(error)
            failure.hint = failure.hint ?? "install -m 600 /dev/stdin FILE  writes what you type to a file"
            failure.message = "passphrase file \(output.display.text(path)): \(failure.message)"
            throw failure
        }
    }
}
