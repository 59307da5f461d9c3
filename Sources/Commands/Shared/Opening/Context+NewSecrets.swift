package import Presentation
internal import Secrets
internal import System
package import VaultCrypto

extension Context {
    /// How often a person may try to type a new secret.
    private static let tries = 3

    /// Asks for a new secret twice; reports a mistake, and asks again.
    ///
    /// Enter alone gives an empty one. `check` refuses what would not do, before it is typed again. Throws
    /// the third slip, and at once what is no slip.
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

    /// Asks for a passphrase that protects an export: as hard to guess as that of a vault.
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

    /// Says that a new passphrase which a file gave is easy to guess: a script is asked nothing.
    package func noteWeakness(of secret: Secret, allowsWeak: Bool) {
        let strength = ChosenPassword.strength(of: secret)
        guard !allowsWeak, secret.count > 0, strength.bits < Passphrase.leastBits else { return }
        output.note("the new passphrase is easy to guess: \(strength.text)")
    }

    /// Asks for a typed key, which has no rule: one that is easy to guess is accepted if the person insists.
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
