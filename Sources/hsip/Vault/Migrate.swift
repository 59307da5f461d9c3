internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import VaultLifecycle

extension VaultGroup {
    /// Moves the vault from the file to the keyring, or back.
    struct Migrate: Command {
        static let path = "vault migrate"
        static let configuration = CommandConfiguration(
            abstract:
                "Move the vault to the desktop keyring or to a file.",
            discussion: """
                hsip copies every record, reads it back and compares it. If the move stops, the same \
                command continues. The old copy stays for 30 days; programs that can read it still read \
                its content. A file gets a new passphrase and a new recovery code; a keyring has \
                neither.

                  hsip vault migrate --to keyring
                  hsip vault migrate --forget
                """
        )

        /// What will keep the vault.
        enum Goal: String, KeyringChoice, CaseIterable {
            case file, keyring
        }

        @Option(help: "The vault's new place: file or keyring.")
        var to: Goal?
        @Option(
            help: ArgumentHelp(
                "The keyring to use, or to make (default: yours).",
                valueName: "name"
            )
        )
        var collection: String?
        @Option(
            help: ArgumentHelp(
                "Read the file's new passphrase from the first line of this file.",
                valueName: "file"
            ),
            completion: .file()
        )
        var newPassphraseFile: String?
        @OptionGroup
        var secrets: NewSecretOptions
        @Flag(help: "Remove the old copies now.")
        var forget = false

        func run(_ context: Context) async throws {
            let place = try context.place()
            try check()
            let found = try context.find(place)
            guard let record = try context.config(place).record(of: place.key), place.name != nil else {
                throw Failure.usage(
                    "a vault in the keyring has a name and no path",
                    hint: "hsip vault migrate --vault NAME"
                )
            }
            if forget { return try forgetCopies(of: record, place, context) }
            guard let to else { return try MoveReport(place: place, record: record).show(context) }
            if let location = record.location, location.backend == backend(of: to) {
                throw Failure(
                    .alreadyThere,
                    "the vault is in \(location.text(context)) already",
                    hint: "hsip vault migrate --to \(to == .file ? Goal.keyring : .file)"
                )
            }
            try context.config(place).checkWritable()
            switch to {
            case .file: try moveToFile(record, found, place, context)
            case .keyring: try moveToKeyring(record, found, place, context)
            }
        }

        /// Removes what is kept, before its time: after this nothing leads back.
        private func forgetCopies(of record: VaultRecord, _ place: VaultPlace, _ context: Context) throws {
            let leftovers = MigrationLeftovers(context.locator(place), context.patience)
            // All questions come first: a no changes nothing.
            for copy in record.kept {
                let location = copy.location.text(context)
                guard try context.agrees("Remove the old copy in \(location)? It is the way back") else {
                    throw ConsoleError.refused
                }
            }
            for copy in record.kept { try leftovers.remove(copy, of: record) }
            guard let present = try context.settledRecord(place) else { throw MigrationError.overtaken }
            try MoveReport(place: place, record: present).show(context)
        }

        /// Words that contradict each other are refused before anything is looked at.
        private func check() throws(Failure) {
            guard !forget || to == nil else {
                throw Failure.usage("--forget and --to exclude each other")
            }
            if let option = newPassphraseFile != nil
                ? "--new-passphrase-file" : secrets.weak ? "--weak" : fileOption,
                to != .file
            {
                throw Failure.usage("\(option) is for a vault file: one in the keyring has no passphrase")
            }
            guard collection == nil || to == .keyring else {
                throw Failure.usage("--collection chooses a keyring", hint: "--to keyring")
            }
        }

        private var fileOption: String? { secrets.file == nil ? nil : "-o" }

        private func backend(of goal: Goal) -> Backend { goal == .file ? .file : .secretService }

        private func moveToFile(
            _ record: VaultRecord,
            _ found: FoundVault,
            _ place: VaultPlace,
            _ context: Context
        ) throws {
            if let file = secrets.file, Path.exists(file) { throw ConsoleError.fileExists }
            if context.globals.asksShares { try context.refusePassphrase() }
            if context.globals.passphraseFile != nil || context.globals.passphraseDescriptor != nil {
                throw Failure.usage(
                    "the vault is in the keyring and has no passphrase; the file gets a new one",
                    hint: "--new-passphrase-file FILE"
                )
            }
            guard newPassphraseFile != nil || context.terminal.isAvailable else {
                throw ConsoleError.inputNeeded(flag: "--new-passphrase-file FILE")
            }
            guard secrets.file != nil || context.terminal.isAvailable else {
                throw ConsoleError.inputNeeded(flag: "-o FILE")
            }
            let source = try Self.open(record, found, place, context)
            try ask(record, source, .file(place.file), context)
            let passphrase = try context.newPassphrase(
                from: newPassphraseFile.map { NamedSecret(.file($0)) },
                allowsWeak: secrets.weak,
                flag: "--new-passphrase-file FILE"
            )
            let recovery = try NewRecoveryCode()
            let codeFile = try context.handOver(
                passphrase,
                recovery,
                to: try secrets.file.map(AbsolutePath.of)
            )
            let target = MigrationTarget.file(place, NewVault.slots(passphrase, recovery))
            let migration = migration(of: source, record, at: place, to: target, context)
            do {
                try run(migration, at: place, context)
            } catch {
                // A code that opens nothing is not left lying about; one that may open something is never lost.
                if !migration.mayCount { codeFile?.remove() }
                throw error
            }
        }

        private func moveToKeyring(
            _ record: VaultRecord,
            _ found: FoundVault,
            _ place: VaultPlace,
            _ context: Context
        ) throws {
            let service = try Self.elsewhere { () throws(StoreError) in
                try context.connect(context.patience)
            }
            let source = try Self.open(record, found, place, context)
            NewKeyringVault.tell(context)
            try NewKeyringVault.tellDurability(service, context)
            try ask(record, source, nil, context)
            let choice: CollectionChoice = collection.map { .named($0) } ?? .standard
            let target = MigrationTarget.keyring(
                service,
                try Self.elsewhere { () throws(StoreError) in
                    try service.collection(choice, making: true)
                },
                name: place.key,
                context.keyringPaths(place)
            )
            try run(migration(of: source, record, at: place, to: target, context), at: place, context)
        }
    }
}
