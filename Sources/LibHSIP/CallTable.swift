internal import FileStore
internal import Presentation
internal import VaultCrypto
internal import VaultKit

/// The commands of `hsip_call`: what needs neither the value of a secret nor a person and leaves nothing outside the
/// vault, with the JSON of the command line.
enum CallTable {
    /// What a command does with the vault.
    typealias Work = @Sendable (CallContext) async throws -> CallAnswer

    /// The members that a command has, and what it does.
    typealias Entry = (members: Set<String>, make: @Sendable (CallRequest) throws(LibraryError) -> Work)

    /// Every command by its name.
    static let commands: [String: Entry] = [people, secrets, ssh].reduce(own) { all, more in
        all.merging(more) { first, _ in first }
    }

    private static let own: [String: Entry] = [
        "version": ([], { (_) throws(LibraryError) in { _ in version } })
    ]

    private static var version: CallAnswer {
        CallAnswer(.version(sqlite: FileStore.engineVersion))
    }
}
