internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// Shares of a recovery secret, which people hold: so many of them open the vault.
struct SharesGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares",
        abstract: "Manage shares: several people open the vault together.",
        subcommands: [Make.self, List.self, Show.self, End.self]
    )

    /// Takes the slot away.
    struct End: Command {
        static let path = "vault shares end"
        static let configuration = CommandConfiguration(
            abstract: "End shares, so that they no longer open this vault.",
            discussion: """
                hsip removes the key slot of the shares. People keep their words, and enough of them still \
                open every older backup. hsip vault rekey ends that for all later data.

                  hsip vault shares end
                  hsip vault shares end 4
                """
        )

        @Argument(help: "The slot's number, if several slots have shares.")
        var slot: UInt32?

        func run(_ context: Context) async throws {
            let opened = try SlotMaking.open(context)
            let (place, store) = (opened.place, opened.store)
            let (found, sharing) = try find(try store.slots())
            let question = context.question(
                "End the shares of slot \(found.number)?",
                after: [
                    "\(sharing.count) people hold words, and \(sharing.threshold) of them still open old copies of "
                        + "the vault: those cannot be taken back."
                ]
            )
            guard try context.agrees(question) else { throw ConsoleError.refused }
            try store.removeSlot(found.number)
            context.output.note(
                "\(sharing.count) people still hold words that open older copies: backups, and copies that "
                    + "restore kept"
            )
            let vault = try context.vault(over: store).ownService
            await context.tellGiven(removed: sharing.label, vault)
            // Who holds one stays remembered; a parcel that opens nothing is kept for nobody.
            if let identifier = sharing.identifier {
                _ = try? await vault(Operations.forgetShares, identifier, true)
            }
            try SlotGroup.show(found, "ended", context)
            context.remember(store.vaultID, at: place) { $0.adviseRekey(context.now) }
            try context.output.succeed([
                "sharing": .sharing(sharing, found, nil),
                "remaining": .integer(Int64(try store.slots().count)),
            ])
        }

        private func find(_ slots: [SlotInfo]) throws -> (SlotInfo, Sharing) {
            let found = slots.compactMap { slot in Sharing(slot).map { (slot, $0) } }
                .filter { slot == nil || $0.0.number == slot }
            guard let one = found.first else {
                throw Failure(
                    .noSuchSlot,
                    slot == nil ? "no shares of this vault were made" : "no shares open this slot",
                    hint: "hsip vault shares list"
                )
            }
            guard found.count == 1 else {
                throw Failure(
                    .inputNeeded,
                    "shares were made \(found.count) times",
                    hint: "hsip vault shares list  shows the numbers of their slots"
                )
            }
            return one
        }
    }
}
