internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import VaultKit

/// Finds the key that a word on the command line names, by its name or its fingerprint.
struct KeyNames {
    private let vault: any VaultService
    private let search: NameSearch<KeySummary>

    init(_ context: Context, _ vault: any VaultService) {
        self.vault = vault
        search = NameSearch(context: context, lookup: .keys(vault), name: \.name, words: .key)
    }

    /// The key that a word names.
    ///
    /// With `exactly`, the beginning of a name is not enough. Throws `unknownSSHKey` with the nearest name,
    /// or `sshKeyInTrash`.
    func resolve(_ word: String, exactly: Bool = false, inTrash: Bool = false) async throws -> KeySummary {
        if let half = try await exact(word, inTrash) { return half.summary }
        return try await search.resolve(word, exactly: exactly, inTrash: inTrash)
    }

    /// The public half of the key that a word names.
    ///
    /// - Throws: as `resolve`.
    func publicHalf(_ word: String, inTrash: Bool = false) async throws -> PublicHalf {
        if let half = try await exact(word, inTrash) { return half }
        return try await vault(Operations.sshPublicHalf, try await resolve(word, inTrash: inTrash).name)
    }

    /// The key of exactly this name, found without reading the other keys; nil if no key has the name.
    private func exact(_ word: String, _ inTrash: Bool) async throws -> PublicHalf? {
        do {
            let half = try await vault(Operations.sshPublicHalf, NameRules.normalized(word))
            return (half.summary.removedAt != nil) == inTrash ? half : nil
        } catch VaultError.ssh(.unknownKey) {
            return nil
        }
    }

    /// The name that the user typed for a new key.
    ///
    /// - Throws: `badSSHKeyName`.
    static func new(_ word: String) throws -> String {
        let name = NameRules.normalized(word)
        guard KeyName.isValid(name) else { throw VaultError.ssh(.badKeyName) }
        return name
    }
}
