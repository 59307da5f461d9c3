/// A question for a passphrase.
///
/// What came from outside is in these texts only as `SafeText` lets it through.
package struct PassphraseQuestion: Equatable, Sendable {
    /// One line, without a colon at its end: `passphrase of the vault “work”`.
    package var title: String
    /// What the person should know first, a line each: who asks and for what.
    package var lines: [String]
    /// 1 for the first time; above that the passphrase before was wrong.
    package var attempt: Int

    package init(title: String, lines: [String] = [], attempt: Int = 1) {
        self.title = title
        self.lines = lines
        self.attempt = attempt
    }
}
