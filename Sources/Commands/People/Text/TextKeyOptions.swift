internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto
internal import VaultKit

/// The source of a text's key: a person, a file, a descriptor, or the vault; never the command line.
struct TextKeyOptions: ParsableArguments {
    @Option(
        name: .customLong("key"),
        help: ArgumentHelp("Use a secret of the vault as the key.", valueName: "vault:NAME"),
        completion: .references
    )
    var reference: String?

    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "Read the key from this file's first line; only you may read it.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @Option(
        name: .customLong("key-fd"),
        help: ArgumentHelp("Read the key from the next line of an open descriptor.", valueName: "number")
    )
    var descriptor: Int32?

    /// Refuses invalid options before a key is read or asked for.
    func check() throws(Failure) {
        guard [reference != nil, file != nil, descriptor != nil].count(where: { $0 }) < 2 else {
            throw Failure.usage("choose one of --key, --key-file and --key-fd")
        }
        guard descriptor.map({ $0 >= 0 }) ?? true else {
            throw Failure.usage("--key-fd needs the number of an open descriptor")
        }
        guard reference.map({ Reference(reading: Array($0.utf8)) != nil }) ?? true else {
            throw Failure.usage(
                "a key never goes on the command line, where other programs can see it",
                hint: "--key vault:NAME, --key-file FILE, or type it when asked"
            )
        }
    }

    /// The key.
    ///
    /// With `isNew`, a person types it twice. `vault` is the vault if it is open already. Throws the errors of the
    /// file, the descriptor, the vault or the question.
    func key(isNew: Bool, _ context: Context, _ vault: (any VaultService)? = nil) async throws -> SecretBytes
    {
        if let file { return try PassphraseFile.read(file) }
        if let descriptor { return try PassphraseFile.read(descriptor: Descriptor(descriptor)) }
        if let reference, let reference = Reference(reading: Array(reference.utf8)) {
            let vault = if let vault { vault } else { try await context.openVault() }
            return try SecretBytes(
                copying: try await vault.credentialValue(CredentialReference(reference)).settled().value
            )
        }
        guard isNew else { return try context.terminal.askHidden("Key", flag: "--key-file") }
        return try context.newLoosePassphrase("New key", flag: "--key-file")
    }
}
