internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import VaultLifecycle

/// The options of `vault slot add` and `set`, and what both do: ask, hand over, then write.
struct SlotMaking: ParsableArguments {
    @Option(help: "The slot's label.")
    var label: String?
    @Option(
        help: ArgumentHelp(
            "Read the new passphrase from this file's first line.",
            valueName: "file"
        ),
        completion: .file()
    )
    var newPassphraseFile: String?
    @OptionGroup
    var secrets: NewSecretOptions
    @OptionGroup(title: "Emergency kit")
    var kit: KitOptions
    @OptionGroup(title: "Device")
    var tpm: TPMOptions

    /// An open vault, and the secret that opened it: a slot can only be made with the vault key, which is
    /// not kept.
    struct Opened {
        let place: VaultPlace
        let store: FileStore
        let secret: Unlock

        /// Remembers what has become of the slots; a new code was not tested yet.
        func remember(replaces: Bool, code isCode: Bool, kit isKit: Bool, _ context: Context) {
            context.remember(store.vaultID, at: place) { record in
                if replaces { record.adviseRekey(context.now) }
                if isCode { (record.recoveryTestedAt, record.kitMadeAt) = (nil, isKit ? context.now : nil) }
            }
        }
    }

    /// Opens the vault, once.
    func open(_ context: Context) throws -> Opened {
        if let file = secrets.file, Path.exists(file) { throw NewFile.taken(file, "-o") }
        try kit.target?.check(context)
        return try Self.open(context)
    }

    /// The same where the options are another command's.
    static func open(_ context: Context) throws -> Opened {
        let place = try context.place()
        let (store, secret) = try context.unlock(place, try context.findFile(place))
        return Opened(place: place, store: store, secret: secret)
    }

    /// Gets a new secret, hands it over, and only then makes the slot.
    ///
    /// - Returns: the new slot.
    func run(
        _ kind: SlotGroup.Kind,
        _ act: KeySlots.Act,
        in opened: Opened,
        _ context: Context
    ) throws -> SlotInfo {
        let slots = KeySlots(of: opened.store, opened.secret, showing: context)
        guard kind == .recovery || kit.target == nil else {
            throw Failure.usage(
                "an emergency kit holds a recovery code",
                hint: "hsip vault slot add recovery --kit FILE"
            )
        }
        guard kind == .tpm2 || kind == .fido2 && tpm.pcrs == nil || !tpm.isUsed else {
            throw Failure.usage(
                "a PIN is for a TPM or a security key, boot registers are for the TPM",
                hint: "hsip vault slot add tpm2"
            )
        }
        let number: UInt32
        switch kind {
        case .keyring: number = try makeInKeyring(act, in: slots, opened, context)
        case .tpm2: number = try makeInTPM(act, in: slots, context)
        case .fido2: number = try makeOnKey(act, in: slots, context)
        case .passphrase:
            let new = try Self.newPassphrase(newPassphraseFile, secrets.weak, label: label, context)
            number = try slots.write(new, act) {}
        case .recovery:
            guard secrets.file != nil || kit.target != nil || context.terminal.isAvailable else {
                throw ConsoleError.inputNeeded(flag: "-o FILE")
            }
            number = try Self.makeRecovery(
                act,
                in: opened,
                label: label,
                file: secrets.file,
                kit: kit.target,
                context
            )
        }
        return try SlotGroup.find("\(number)", in: try opened.store.slots())
    }

    /// The secret of such a slot is for the keyring alone: there is nothing to ask or to hand over.
    private func makeInKeyring(
        _ act: KeySlots.Act,
        in slots: KeySlots,
        _ opened: Opened,
        _ context: Context
    ) throws -> UInt32 {
        guard secrets.file == nil, !secrets.weak, newPassphraseFile == nil else {
            throw Failure.usage("a slot in the keyring has no passphrase and no recovery code")
        }
        return try NewKeyringSlot(context).make(
            act,
            in: slots,
            name: opened.place.key,
            label: NameRules.normalized(label ?? KeySlots.keyringLabel),
            context
        )
    }

    /// Says what has become of the slots, unless the kit is what standard output holds, and then remembers it.
    func finish(
        _ kind: SlotGroup.Kind,
        _ slot: SlotInfo,
        replacing old: SlotInfo?,
        in opened: Opened,
        _ context: Context
    ) throws {
        let what = old.map { "replaces slot \($0.number)" } ?? "added"
        if kit.target?.isStream != true { try SlotGroup.show(slot, what, context) }
        kit.target?.tell(context)
        let isCode = kind == .recovery
        guard isCode || old != nil else { return }
        opened.remember(replaces: old != nil, code: isCode, kit: kit.target != nil, context)
    }

    /// Where the recovery code went, for the JSON output.
    func outputFile(_ kind: SlotGroup.Kind) throws -> JSONValue {
        guard kind == .recovery, let file = secrets.file else { return .null }
        return .text(try AbsolutePath.of(file))
    }

    /// A new passphrase out of a file, or asked for.
    static func newPassphrase(
        _ file: String?,
        _ allowsWeak: Bool,
        label: String?,
        _ context: Context
    ) throws -> NewSlot {
        let passphrase = try context.newPassphrase(
            from: file.map { NamedSecret(.file($0)) },
            allowsWeak: allowsWeak,
            flag: "--new-passphrase-file FILE"
        )
        try context.handOver(passphrase, nil, to: nil)
        let label = NameRules.normalized(label ?? SlotGroup.Kind.passphrase.label)
        return NewSlot(.passphrase(passphrase.secret), label: label, parameters: .ofThisMachine)
    }

    /// Hands a new recovery code over, with a kit where one is wanted, and writes its slot.
    ///
    /// - Returns: the number of the slot.
    static func makeRecovery(
        _ act: KeySlots.Act,
        in opened: Opened,
        label: String?,
        file: String?,
        kit: KitTarget?,
        _ context: Context
    ) throws -> UInt32 {
        let (place, vaultID) = (opened.place, opened.store.vaultID)
        let code = try NewRecoveryCode()
        let handed = try context.handOver(
            nil,
            code,
            to: file,
            kit: kit.map { ($0.kit(of: place, vaultID, context), $0) },
            isOnlyOne: act != .add
        )
        let name = NameRules.normalized(label ?? SlotGroup.Kind.recovery.label)
        return try KeySlots(of: opened.store, opened.secret, showing: context)
            .write(NewSlot(.recovery(code.secret), label: name), act) { handed?.remove() }
    }
}
