package import Text

/// The words of all programs for one kind of named records, and the errors for a name that no record has.
package struct RecordWords: Sendable {
    private let noun: String
    /// The command group for these records.
    private let command: String
    private let unknownName: ErrorName
    private let nameInTrash: ErrorName

    package static let contact = RecordWords("contact", "hsip contact", .unknownContact, .unknownContact)
    package static let key = RecordWords("key", "hsip ssh key", .unknownSSHKey, .sshKeyInTrash)
    package static let host = RecordWords("host", "hsip ssh host", .unknownSSHHost, .sshHostInTrash)
    package static let secret = RecordWords("secret", "hsip secret", .unknownSecret, .secretInTrash)

    private init(_ noun: String, _ command: String, _ unknownName: ErrorName, _ nameInTrash: ErrorName) {
        (self.noun, self.command, self.unknownName, self.nameInTrash) =
            (noun, command, unknownName, nameInTrash)
    }

    /// Returns the error for an unknown word; `near` are similar names.
    package func unknown(
        _ word: String,
        near: [String] = [],
        inTrash: Bool = false,
        _ display: Display
    ) -> Failure {
        let shown = near.prefix(3).map { display.cell($0) }.joined(separator: " or ")
        let question = near.isEmpty ? "" : "; did you mean \(shown)?"
        return Failure(
            unknownName,
            "there is no \(noun) named \(display.name(word))\(question)",
            hint: inTrash ? "\(command) list --trash" : "\(command) list"
        )
    }

    /// Returns the error for the name of a removed record.
    package func inTrash(_ word: String, _ display: Display) -> Failure {
        Failure(
            nameInTrash,
            "\(display.name(word)) is in the trash",
            hint: "\(command) restore \(ShellWord.quoted(word))"
        )
    }
}
