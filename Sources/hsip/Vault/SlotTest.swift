internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

extension SlotGroup {
    /// Whether a secret still opens the vault.
    struct Test: Command {
        static let path = "vault slot test"
        static let configuration = CommandConfiguration(
            abstract: "Test if a secret or a device opens the vault.",
            discussion: """
                Type the code from paper, not from memory, to find a writing mistake while the other \
                secret still works.

                  hsip vault slot test recovery
                  hsip vault slot test recovery --image photo.jpg
                """
        )

        @Argument(help: "passphrase, recovery, keyring, tpm2 or fido2 (default: what you type).")
        var kind: Kind?
        @Option(
            help: ArgumentHelp("Read the recovery code from a picture; - is stdin.", valueName: "file"),
            completion: .file()
        )
        var image: String?
        @Flag(help: "Read the recovery code with the camera.")
        var camera = false

        func run(_ context: Context) async throws {
            guard image == nil && !camera || kind == nil || kind == .recovery else {
                throw Failure.usage("a picture holds a recovery code", hint: "hsip vault slot test recovery")
            }
            let place = try context.place()
            let overview = try context.findFile(place)
            if let kind, !kind.slotKinds.contains(where: overview.has) {
                throw StoreError.noSuchSlot
            }
            let (store, secret) =
                switch kind {
                case .keyring: try openByKeyring(place, overview, context)
                case .tpm2: try openByDevice(.tpm, place, context)
                case .fido2: try openByDevice(.securityKey, place, context)
                default: try openByHand(place, context)
                }
            try context.explaining { try context.locator(place).checkOpened(store, overview) }
            let number = try context.unlocker(place).derivingKey(secret) { () throws(StoreError) in
                try store.testSlot(secret)
            }
            let slot = try SlotGroup.find("\(number)", in: try store.slots())
            // Shares say nothing of the code on paper.
            PassphraseUse.note(secret, of: store.vaultID, at: context.locator(place), now: context.now)
            try SlotGroup.show(slot, "opens the vault", context)
            if Sharing.isPaper(slot) {
                context.remember(store.vaultID, at: place) { $0.recoveryTestedAt = context.now }
            }
            try context.output.succeed(["slot": .slot(slot), "opens": true])
        }

        private func openByDevice(
            _ kind: SlotKind,
            _ place: VaultPlace,
            _ context: Context
        ) throws -> (FileStore, Unlock) {
            let named: UInt32? =
                if case .device(kind, let number)? = try context.unlockWay() { number } else { nil }
            let source = DeviceSecret(context, place, kind, slot: named)
            let secret = try context.explaining { try source.unlock(attempt: 1) }
            return (try context.unlocker(place).open(with: secret, OpenOptions(readOnly: true)), secret)
        }

        private func openByHand(_ place: VaultPlace, _ context: Context) throws -> (FileStore, Unlock) {
            if image != nil || camera {
                let secret = try TypedSecret.unlock(try pictured(context))
                return (try context.unlocker(place).open(with: secret, OpenOptions(readOnly: true)), secret)
            }
            let source: any SecretSource
            switch try context.unlockSource() {
            case .named(let secret)?: source = secret
            case .shares?: source = SharesSecret(context)
            case .device(let kind, _)?: return try openByDevice(kind, place, context)
            case .terminal?: source = TerminalSecret(context: context) { question }
            case nil: throw StoreError.locked
            }
            let secret = try context.explaining { try source.unlock(attempt: 1) }
            if let kind, !kind.slotKinds.contains(secret.kind) {
                throw kind == .recovery ? StoreError.mistyped : StoreError.wrongSecret
            }
            return (try context.unlocker(place).open(with: secret, OpenOptions(readOnly: true)), secret)
        }

        /// The recovery code in a picture of the page, which may hold other codes.
        private func pictured(_ context: Context) throws -> Secret {
            let reader = ImageReader(environment: context.environment)
            let found: [Secret]
            if let image {
                found = try reader.secrets(in: try OwnFile.read(image, limit: ImageReader.limit))
            } else {
                found = [try reader.secretFromCamera()]
            }
            let codes = try found.filter { TypedSecret.isRecoveryCode(try SecretBytes(copying: $0)) }
            guard let code = codes.first else {
                throw Failure(.malformedInput, "the QR code in the picture is not a recovery code")
            }
            guard codes.allSatisfy({ ConstantTime.equal($0, code) }) else {
                throw Failure(.malformedInput, "the picture holds several recovery codes")
            }
            return code
        }

        /// By what lies in the keyring, which must be open.
        private func openByKeyring(
            _ place: VaultPlace,
            _ overview: FileOverview,
            _ context: Context
        ) throws -> (FileStore, Unlock) {
            let companion = try KeyringCompanion(try context.connect(.probe), overview.vaultID)
            if companion.slots.isEmpty {
                throw companion.locked > 0 ? StoreError.keyringLocked : StoreError.wrongSecret
            }
            let opened = try companion.open { unlock throws(StoreError) in
                try context.unlocker(place).open(with: unlock, OpenOptions(readOnly: true))
            }
            if let opened { return opened }
            throw StoreError.wrongSecret
        }

        private var question: String {
            kind == .recovery ? "Recovery code" : "Passphrase or recovery code"
        }
    }
}
