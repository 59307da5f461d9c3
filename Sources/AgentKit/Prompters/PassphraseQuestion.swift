/// A question for a passphrase or a PIN.
///
/// What came from outside is in these texts only as `SafeText` lets it through.
package struct PassphraseQuestion: Equatable, Sendable {
    /// What is typed.
    package enum Kind: String, Sendable {
        case passphrase
        /// The PIN of a key slot; an empty answer asks for the passphrase.
        case pin = "PIN"
        /// Nothing: a security key is touched, or the passphrase is typed instead.
        case touch
        /// Nothing: a security key is touched, and no other way leads there.
        case touchAlone
    }

    /// What is typed.
    package var kind: Kind
    /// One line, without a colon at its end: `passphrase of the vault “work”`.
    package var title: String
    /// What the person should know first, a line each: who asks and for what.
    package var lines: [String]
    /// 1 for the first time; above that the secret before was wrong.
    package var attempt: Int

    package init(_ kind: Kind = .passphrase, title: String, lines: [String] = [], attempt: Int = 1) {
        self.kind = kind
        self.title = title
        self.lines = lines
        self.attempt = attempt
    }
}
