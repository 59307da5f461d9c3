internal import ArgumentParser
internal import Commands
internal import FileStore
internal import HSIP
internal import Presentation
internal import RecordStore
internal import System
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// Makes the vault and the identity in it.
struct Init: Command {
    static let path = "init"
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a vault and an identity.",
        discussion: """
            hsip keeps the vault in the desktop keyring if it can open it, else in an encrypted file, \
            which gets a passphrase and a recovery code.

              hsip init --kit kit.pdf
            """
    )

    /// What keeps the vault.
    enum Choice: String, KeyringChoice, CaseIterable {
        case auto, file, keyring
    }

    @Option(help: "Your name, as contacts will see it.")
    var name: String?
    @Option(help: "The vault's place.")
    var backend = Choice.auto
    @Option(
        help: ArgumentHelp(
            "The keyring to use, or to make (default: yours).",
            valueName: "name"
        )
    )
    var collection: String?
    @Flag(help: "Make the vault without an identity.")
    var noIdentity = false
    @Flag(
        help: "Open with the login keyring; locking protects little."
    )
    var keyringSlot = false
    @OptionGroup
    var secrets: NewSecretOptions
    @OptionGroup(title: "Emergency kit")
    var kit: KitOptions

    func run(_ context: Context) async throws {
        let place = try context.place()
        let isRecorded = try context.config(place).record(of: place.key) != nil
        if isRecorded || Path.exists(place.file) { return try await finish(place, context) }
        let choice = try choose(place, context)
        switch choice.backend {
        case .file: try await makeFile(place, choice, context)
        case .secretService: try await makeInKeyring(place, choice, context)
        }
    }

    private func makeInKeyring(
        _ place: VaultPlace,
        _ choice: BackendChoice,
        _ context: Context
    ) async throws {
        try refuseMissing([], context)
        try context.config(place).checkWritable()
        let vault = try NewKeyringVault(at: place, in: collection, reason: choice.reason, context)
        NewKeyringVault.tell(context)
        try NewKeyringVault.tellDurability(vault.service, context)
        let name = noIdentity ? nil : try OwnName.choose(name, context)
        try await complete(.keyring(try vault.make(context)), place, name: name, context)
    }

    private func makeFile(
        _ place: VaultPlace,
        _ choice: BackendChoice,
        _ context: Context
    ) async throws {
        let source = try plan(place, context)
        var slot = keyringSlot ? try NewKeyringSlot(context) : nil
        let name = noIdentity ? nil : try OwnName.choose(name, context)
        let vault = NewVault(
            place: place,
            passphrase: try context.newPassphrase(
                from: source,
                allowsWeak: secrets.weak,
                flag: "--passphrase-file FILE"
            ),
            recovery: try NewRecoveryCode(),
            recoveryFile: try secrets.file.map(AbsolutePath.of),
            kit: kit.target,
            reason: choice.reason
        )
        if slot == nil { slot = try KeyringOffer.ask(context) }
        let store = try vault.make(context)
        if let slot { KeyringOffer.add(slot, to: store, vault, context) }
        let chosen = source == nil ? vault.passphrase.secret : nil
        try await complete(.file(store), place, name: name, chosen: chosen, context)
    }

    /// What can be refused without a question is refused before the first one.
    private func plan(_ place: VaultPlace, _ context: Context) throws -> NamedSecret? {
        if let file = secrets.file, Path.exists(file) { throw NewFile.taken(file, "-o") }
        try kit.target?.check(context)
        let source = try context.unlockSource()
        let hasPlace = secrets.file != nil || kit.target != nil
        try refuseMissing(
            [source == nil ? "--passphrase-file FILE" : nil, hasPlace ? nil : "-o FILE"],
            context
        )
        try context.config(place).checkWritable()
        if case .device = source {
            throw Failure.usage("--with opens a vault, and hsip init makes one")
        }
        if case .shares = source {
            throw Failure.usage("--shares opens a vault, and hsip init makes one")
        }
        guard case .named(let secret) = source else { return nil }
        return secret
    }

    /// Without a user to ask, all missing options are named at once.
    private func refuseMissing(_ flags: [String?], _ context: Context) throws {
        guard !context.terminal.isAvailable else { return }
        let missing = (flags + [name == nil && !noIdentity ? "--name NAME" : nil]).compactMap(\.self)
        guard missing.isEmpty else { throw ConsoleError.inputNeeded(flag: missing.joined(separator: " ")) }
    }

    /// A vault is there.
    ///
    /// If it lacks an identity, because it was made so or because the program was stopped,
    /// it gets one; it is never made again.
    private func finish(_ place: VaultPlace, _ context: Context) async throws {
        let found = try context.find(place)
        let record = try context.config(place).record(of: place.key)
        guard !noIdentity, record?.lacksIdentity == true else { throw StoreError.alreadyExists }
        let name = try OwnName.choose(name, context)
        try await complete(try context.open(found, at: place), place, name: name, context)
    }

    private func complete(
        _ store: OpenedStore,
        _ place: VaultPlace,
        name: String?,
        chosen passphrase: Secret? = nil,
        _ context: Context
    ) async throws {
        var identity: IdentitySummary?
        if let name {
            let present = try await makeIdentity(Vault(store: store.store), name)
            context.remember(store.vaultID, at: place) { $0.lacksIdentity = false }
            guard present.name == name else { throw VaultError.identityExists }
            identity = present
        }
        let reason = try context.config(place).record(of: place.key)?.reason
        if kit.target?.isStream != true { try show(store, place, identity, context) }
        kit.target?.tell(context)
        try await tellNextSteps(after: passphrase, hasIdentity: identity != nil, context)
        try context.output.succeed([
            "vault": .vault(place, store), "format": .integer(store.backend == .file ? 1 : 2),
            "identity": identity.map { .identity($0) } ?? .null,
            "slots": .list(try store.slots().map { .slot($0) }),
            "outputFile": .optional(try secrets.file.map(AbsolutePath.of)),
            "kitFile": try kit.target?.outputFile() ?? .null,
            "why": .optional(reason?.rawValue),
        ])
    }

    /// An identity may be there: from a run that was stopped, or from another one at the same time.
    private func makeIdentity(_ vault: Vault, _ name: String) async throws -> IdentitySummary {
        do {
            return try await vault.createIdentity(name: name)
        } catch VaultError.identityExists {
            return try await vault.identity()
        }
    }

    private func show(
        _ store: OpenedStore,
        _ place: VaultPlace,
        _ identity: IdentitySummary?,
        _ context: Context
    ) throws {
        var sheet = FactSheet()
        context.addVault(store, place, to: &sheet)
        if let identity {
            sheet.add(
                "Identity",
                Cell(own: identity.name, context.output.display),
                Cell(identity.peerID.text)
            )
        }
        try context.output.facts(sheet)
    }
}
