internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import VaultLifecycle

extension VaultGroup {
    /// `hsip vault passphrase`: another passphrase for the vault's file.
    struct PassphraseCommand: Command {
        static let path = "vault passphrase"
        static let configuration = CommandConfiguration(
            commandName: "passphrase",
            abstract: "Change the passphrase of the vault.",
            discussion: """
                The old passphrase still opens old backups, and anyone who used it may have the key of the vault. If \
                others may know the old passphrase, run hsip vault rekey as well.

                  hsip vault passphrase
                  hsip vault passphrase --new-passphrase-file /root/new
                """
        )

        @Option(
            help: ArgumentHelp(
                "Read the new passphrase from the first line of this file.",
                valueName: "file"
            ),
            completion: .file()
        )
        var newPassphraseFile: String?
        @Flag(help: "Accept a passphrase that is short or easy to guess.")
        var weak = false

        func run(_ context: Context) async throws {
            let opened = try SlotMaking.open(context)
            let present = try opened.store.slots()
            guard present.contains(where: { $0.kind == .passphrase }) else {
                throw Failure(
                    .noSuchSlot,
                    "the vault has no passphrase yet",
                    hint: "hsip vault slot add passphrase"
                )
            }
            let old = try SlotGroup.find("passphrase", in: present)
            context.output.say(try SlotGroup.oldCopies(of: opened.place, opened.store, context))
            let new = try SlotMaking.newPassphrase(newPassphraseFile, weak, label: old.label, context)
            let slots = KeySlots(of: opened.store, opened.secret, showing: context)
            let number = try slots.write(new, .replace(old.number)) {}
            let slot = try SlotGroup.find("\(number)", in: try opened.store.slots())
            try SlotGroup.show(slot, "replaces slot \(old.number)", context)
            opened.remember(replaces: true, code: false, kit: false, context)
            SlotGroup.tellRekey(context)
            try context.output.succeed([
                "slot": .slot(slot), "replacedNumber": .integer(Int64(old.number)), "outputFile": .null,
                "kitFile": .null,
            ])
        }
    }
}
