internal import ArgumentParser
internal import Console
internal import FileStore
internal import HSIP
internal import RecordStore
internal import VaultKit

/// Makes the vault and the identity in it.
struct Init: Command {
    static let path = "init"
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a vault and an identity.",
        discussion: """
            Asks for your name and a passphrase, and shows a recovery code, once. Without a terminal:

              hsip init --no-input --name ci --passphrase-file /root/p -o /root/recovery.txt
            """
    )

    /// What keeps the vault.
    enum Backend: String, ExpressibleByArgument, CaseIterable {
        case auto, file
        case secretService = "secret-service"
    }

    @Option(help: "Your name, as contacts will see it.")
    var name: String?
    @Option(help: "auto or file.")
    var backend = Backend.auto
    @Flag(help: "Make the vault only.")
    var noIdentity = false
    @Flag(help: "Take a passphrase of fewer than 10 characters.")
    var weak = false
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "Write the recovery code to this file instead of showing it."
    )
    var file: String?

    func run(_ context: Context) async throws {
        let place = try context.place()
        guard backend != .secretService else {
            throw Failure(
                .unavailable,
                code: "unavailable",
                message: "the backend secret-service is not in this build",
                hint: "--backend file"
            )
        }
        if Path.exists(place.file) { return try await finish(place, context) }
        guard try context.config(place).record(of: place.key) == nil else { throw Misplaced.missing(place) }
        let made = try plan(place, context)
        let name = noIdentity ? nil : try OwnName.choose(name, context)
        let vault = try ask(place, made, context)
        let store = try vault.make(context)
        try await complete(store, place, name: name, context)
    }

    /// What can be refused without a question is refused before the first one.
    private func plan(_ place: VaultPlace, _ context: Context) throws -> UnlockSource? {
        if let file, Path.exists(file) { throw ConsoleError.fileExists }
        try context.config(place).checkWritable()
        let source = try UnlockSource.find(context.globals, context.environment, context.terminal)
        guard source != nil else { throw ConsoleError.inputNeeded(flag: "--passphrase-file FILE") }
        guard file != nil || context.terminal.isAvailable else {
            throw ConsoleError.inputNeeded(flag: "-o FILE")
        }
        return source
    }

    private func ask(
        _ place: VaultPlace,
        _ source: UnlockSource?,
        _ context: Context
    ) throws -> NewVault {
        NewVault(
            place: place,
            passphrase: try context.newPassphrase(
                from: source,
                allowsWeak: weak,
                flag: "--passphrase-file FILE"
            ),
            recovery: try NewRecoveryCode(),
            recoveryFile: try file.map(AbsolutePath.of)
        )
    }

    /// A vault is there.
    ///
    /// If it lacks an identity, because it was made so or because the program was stopped,
    /// it gets one; it is never made anew.
    private func finish(_ place: VaultPlace, _ context: Context) async throws {
        try context.checkRecord(place)
        let record = try context.config(place).record(of: place.key)
        guard !noIdentity, record?.lacksIdentity == true else { throw StoreError.alreadyExists }
        let name = try OwnName.choose(name, context)
        let store = try context.unlock(place).store
        try await complete(store, place, name: name, context)
    }

    private func complete(
        _ store: FileStore,
        _ place: VaultPlace,
        name: String?,
        _ context: Context
    ) async throws {
        var identity: IdentitySummary?
        if let name {
            identity = try await makeIdentity(Vault(store: store), name)
            if var record = try context.config(place).record(of: place.key) {
                record.lacksIdentity = false
                try context.config(place).set(record, of: place.key)
            }
        }
        try show(place, identity, context)
        try context.output.succeed([
            "vault": .vault(place, id: store.vaultID), "format": 1,
            "identity": identity.map { .identity($0) } ?? .null,
            "slots": .list(try store.slots().map { .slot($0) }),
            "outputFile": .optional(try file.map(AbsolutePath.of)),
        ])
    }

    /// Also where the program was stopped after making it and before writing that down.
    private func makeIdentity(_ vault: Vault, _ name: String) async throws -> IdentitySummary {
        do {
            return try await vault.createIdentity(name: name)
        } catch VaultError.identityExists {
            return try await vault.identity()
        }
    }

    private func show(_ place: VaultPlace, _ identity: IdentitySummary?, _ context: Context) throws {
        var sheet = FactSheet()
        sheet.add("Vault", context.path(place.file), Cell("encrypted file", value: VaultRecord.file))
        if let identity {
            sheet.add(
                "Identity",
                Cell(peer: identity.name, context.output.display),
                Cell(identity.peerID.text)
            )
        }
        try context.output.facts(sheet)
        if context.surroundings.outputIsTerminal, identity != nil {
            context.output.say("Next      hsip pair    show your code to somebody")
        }
    }
}
