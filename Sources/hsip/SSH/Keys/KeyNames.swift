internal import Console
internal import RecordStore
internal import SSHFormats
internal import SafeText
internal import VaultKit

/// Turns a word of the command line into a key: its name, or its fingerprint.
///
/// Exact for scripts; a person at a terminal may write the beginning of a name, and is told which it was.
struct KeyNames {
    let context: Context
    let vault: any VaultService

    init(_ context: Context, _ vault: any VaultService) {
        self.context = context
        self.vault = vault
    }

    /// The key that a word names.
    ///
    /// - Parameter exactly: no beginning of a name will do.
    /// - Throws: `unknownSSHKey` with the name that is nearest; `sshKeyInTrash`.
    func resolve(_ word: String, exactly: Bool = false, inTrash: Bool = false) async throws -> KeySummary {
        if let half = try await exact(word, inTrash) { return half.summary }
        let keys = try await vault.sshKeys(inTrash: inTrash)
        let name = NameRules.normalized(word)
        if let key = keys.first(where: { $0.name == name || $0.fingerprint == word }) { return key }
        if !exactly, context.isInteractive {
            let begun = keys.filter { $0.name.hasPrefix(name) }
            if begun.count == 1, let key = begun.first {
                context.output.note(
                    Warning(
                        "prefixMatched",
                        "that is \(key.name)",
                        fields: [JSONMember("given", .text(word)), JSONMember("name", .text(key.name))]
                    )
                )
                return key
            }
        }
        if !inTrash, try await vault.sshKeys(inTrash: true).contains(where: { $0.name == name }) {
            throw Failure(
                .notFound,
                code: "sshKeyInTrash",
                message: "\(context.output.display.name(word)) is in the trash",
                hint: "hsip ssh key restore \(ShellWord.quoted(name))"
            )
        }
        throw unknown(word, among: keys.map(\.name))
    }

    /// What is public of the key that a word names.
    ///
    /// - Throws: as `resolve`.
    func publicHalf(_ word: String, inTrash: Bool = false) async throws -> PublicHalf {
        if let half = try await exact(word, inTrash) { return half }
        return try await vault.sshPublicHalf(try await resolve(word, inTrash: inTrash).name)
    }

    /// The key of exactly this name, found without a look at any other; nil where there is none.
    private func exact(_ word: String, _ inTrash: Bool) async throws -> PublicHalf? {
        do {
            let half = try await vault.sshPublicHalf(NameRules.normalized(word))
            return (half.summary.removedAt != nil) == inTrash ? half : nil
        } catch VaultError.ssh(.unknownKey) {
            return nil
        }
    }

    private func unknown(_ word: String, among names: [String]) -> Failure {
        let near =
            word.isEmpty
            ? [] : names.filter { NameDistance.between(word, $0) <= 2 || $0.hasPrefix(word) }.sorted()
        let question = near.isEmpty ? "" : "; did you mean \(near.prefix(3).joined(separator: " or "))?"
        return Failure(
            .notFound,
            code: "unknownSSHKey",
            message: "there is no key named \(context.output.display.name(word))\(question)",
            hint: "hsip ssh key list"
        )
    }

    /// The name that somebody typed for a new key.
    ///
    /// - Throws: `badSSHKeyName`.
    static func new(_ word: String) throws -> String {
        let name = NameRules.normalized(word)
        guard KeyName.isValid(name) else { throw VaultError.ssh(.badKeyName) }
        return name
    }
}
