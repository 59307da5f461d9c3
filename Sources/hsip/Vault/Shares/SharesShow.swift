internal import ArgumentParser
internal import Commands
internal import FileStore
internal import HSIP
internal import Presentation
internal import RecordStore
internal import Text
internal import VaultKit

extension SharesGroup {
    /// A share once more, as it was sealed for its holder.
    struct Show: Command {
        static let path = "vault shares show"
        static let configuration = CommandConfiguration(
            abstract:
                "Show a contact's share again, if it was lost on the way.",
            discussion: """
                hsip shows the same line as before, encrypted for the contact, whose program accepts it \
                once. The words of a share are not kept anywhere.

                  hsip vault shares show bob
                """
        )

        @Argument(help: "The contact who gets the share.", completion: .contacts)
        var contact: String
        @Option(help: "The slot's number, if the contact has shares of several slots.")
        var slot: UInt32?

        func run(_ context: Context) async throws {
            let store = try SlotMaking.open(context).store
            let vault = try context.vault(over: store).ownService
            let alias = try await vault(Operations.contact, contact).contact.alias
            let open = try store.slots().filter { slot == nil || $0.number == slot }
            let held = try await vault(Operations.shares).filter { shares in
                open.contains { $0.label == shares.name }
                    && shares.holders.contains { $0.contact == alias }
            }
            guard let shares = held.first else {
                throw Failure(
                    .unknownGift,
                    "\(context.output.display.cell(alias)) holds no share of this vault",
                    hint: "hsip vault shares list"
                )
            }
            guard held.count == 1 else {
                throw Failure(
                    .inputNeeded,
                    "\(context.output.display.cell(alias)) holds shares of \(held.count) key slots",
                    hint: "hsip vault shares show \(ShellWord.quoted(alias)) --slot NUMBER"
                )
            }
            let parcel = try await vault(Operations.shareParcel, shares.identifier, alias)
            context.output.say("For \(context.output.display.cell(alias)):")
            try context.output.data(try ShareHolders.text(parcel) + [0x0A])
            try context.output.succeed(try ShareHolders.json(parcel, for: alias))
        }
    }
}
