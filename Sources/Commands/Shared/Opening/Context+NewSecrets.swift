package import Presentation
internal import Secrets
internal import System
package import VaultCrypto

extension Context {
    /// How often a person may try to type a new secret.
    private static let tries = 3

    /// Asks for a new secret twice; reports a mistake, and asks again.
    ///
    /// Enter alone gives an empty secret. `check` refuses an unsuitable secret before it is typed again. Throws the
    /// error of the third mistake; other errors are thrown at once.
    package func newSecret(
        _ question: String,
        flag: String,
        check: (borrowing SecretBytes) throws(ConsoleError) -> Void = { _ in }
    ) throws(ConsoleError) -> SecretBytes {
        var left = Self.tries
        while true {
            do throws(ConsoleError) {
                return try terminal.askTwice(question, again: "The same again", flag: flag, check: check)
            } catch {
                guard Self.isSlip(error), left > 1 else { throw error }
                left -= 1
                output.say(
                    "hsip: \(error.explanation.message)" + (error.explanation.hint.map { "; \($0)" } ?? "")
                )
            }
        }
    }

    /// Asks for a passphrase that protects an export; it must be as hard to guess as a vault's passphrase.
    ///
    /// - Throws: `weakPassphrase` and `shortPassphrase` the third time, unless `allowsWeak` permits them.
    package func newFilePassphrase(
        _ question: String,
        flag: String,
        allowsWeak: Bool
    ) throws(ConsoleError) -> SecretBytes {
        try newSecret(question, flag: flag) { (secret: borrowing SecretBytes) throws(ConsoleError) in
            try Passphrase.checkTyped(secret, allowsWeak: allowsWeak)
        }
    }

    /// Notes that a new passphrase from a file is easy to guess; a script cannot be asked.
    package func noteWeakness(of secret: Secret, allowsWeak: Bool) {
        let strength = ChosenPassword.strength(of: secret)
        guard !allowsWeak, secret.count > 0, strength.bits < Passphrase.leastBits else { return }
        output.note("the new passphrase is easy to guess: \(strength.text)")
    }

    /// Asks for a typed key, for which no rule holds: if the person insists, an easily guessed key is accepted.
    package func newLoosePassphrase(_ question: String, flag: String) throws(ConsoleError) -> SecretBytes {
        var left = Self.tries
        while true {
            var isUnwanted = false
            do throws(ConsoleError) {
                return try newSecret(question, flag: flag) {
                    (secret: borrowing SecretBytes) throws(ConsoleError) in
                    let strength = ChosenPassword.strength(of: secret)
                    guard strength.bits < Passphrase.leastBits else { return }
                    output.say("That is easy to guess: \(strength.text).")
                    guard try !terminal.confirm("Use it anyway?", flag: flag) else { return }
                    isUnwanted = true
                    throw .refused
                }
            } catch {
                guard isUnwanted, left > 1 else { throw error }
                left -= 1
            }
        }
    }

    private static func isSlip(_ error: ConsoleError) -> Bool {
        switch error {
        case .shortPassphrase, .weakPassphrase, .entriesDiffer: true
        default: false
        }
    }
}
