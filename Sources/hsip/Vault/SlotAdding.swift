internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import VaultLifecycle

extension SlotGroup {
    /// One more way to open the vault.
    struct Add: Command {
        static let path = "vault slot add"
        static let configuration = CommandConfiguration(
            abstract: "Add a passphrase, recovery code, keyring, TPM or key slot.",
            discussion: """
                By the keyring or a TPM without a PIN, every program of yours opens the vault.

                  hsip vault slot add recovery --kit kit.pdf
                """
        )

        @Argument(help: "Kind.")
        var kind: Kind
        @OptionGroup var making: SlotMaking

        func run(_ context: Context) async throws {
            let opened = try making.open(context)
            if kind == .keyring { try NewKeyringSlot.refuseSecond(opened.store, context) }
            let slot = try making.run(kind, .add, in: opened, context)
            try making.finish(kind, slot, replacing: nil, in: opened, context)
            try context.output.succeed([
                "slot": .slot(slot), "outputFile": try making.outputFile(kind),
                "kitFile": try making.kit.target?.outputFile() ?? .null,
            ])
        }
    }

    /// A new secret in the place of an old one.
    struct Set: Command {
        static let path = "vault slot set"
        static let configuration = CommandConfiguration(
            abstract: "Replace the secret of a key slot.",
            discussion: """
                The old secret opens old backups; hsip vault rekey ends that for later data.

                  hsip vault slot set 2
                """
        )

        @Argument(help: "The slot's number, or its kind if there is only one.")
        var slot: String
        @OptionGroup var making: SlotMaking

        func run(_ context: Context) async throws {
            let opened = try making.open(context)
            let old = try SlotGroup.find(slot, in: try opened.store.slots())
            guard let kind = Kind(old.kind) else {
                throw Failure(.unavailable, "slots of the kind \(old.kind.word) cannot be made here")
            }
            context.output.say(try SlotGroup.oldCopies(of: opened.place, opened.store, context))
            let slot = try making.run(kind, .replace(old.number), in: opened, context)
            if kind == .keyring { NewKeyringSlot.forget(old.number, opened.store, context) }
            try making.finish(kind, slot, replacing: old, in: opened, context)
            SlotGroup.tellRekey(context)
            try context.output.succeed([
                "slot": .slot(slot), "replacedNumber": .integer(Int64(old.number)),
                "outputFile": try making.outputFile(kind),
                "kitFile": try making.kit.target?.outputFile() ?? .null,
            ])
        }
    }
}
