internal import ArgumentParser
internal import CommandKit
internal import Console
internal import FileStore
internal import Programs
internal import RecordStore
internal import SafeText
internal import VaultKit
internal import VaultLifecycle

/// Shares of a recovery secret, which people hold: so many of them open the vault.
struct SharesGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares",
        abstract: "Shares of several people, who open the vault together: make, list, end.",
        subcommands: [Make.self, List.self, End.self]
    )

    /// What there is.
    struct List: Command {
        static let path = "vault shares list"
        static let configuration = CommandConfiguration(
            abstract: "List what shares were made, and how many of them open the vault.",
            discussion: """
                  hsip vault shares list
                """
        )

        func run(_ context: Context) async throws {
            let slots = try SlotMaking.open(context).store.slots()
            let found = slots.compactMap { slot in Sharing(slot).map { (slot, $0) } }
            var table = Table([
                Column("slot", .right), Column("open it", .right, .whole), Column("shares", .right),
                Column("made", .left, .whole),
            ])
            for (slot, sharing) in found {
                let made = Int64(clamping: slot.created / 1_000)
                table.add([
                    Cell("\(slot.number)"), Cell("\(sharing.threshold)"), Cell("\(sharing.count)"),
                    Cell(Times.date(made), value: Times.rfc3339(made)),
                ])
            }
            if found.isEmpty { context.output.note("no shares of this vault were made") }
            try context.output.table(table)
            try context.output.succeed(["sharings": .list(found.map { .sharing($1, $0) })])
        }
    }

    /// Takes the slot away.
    struct End: Command {
        static let path = "vault shares end"
        static let configuration = CommandConfiguration(
            abstract: "End shares: they no longer open this vault, but still open old copies of it.",
            discussion: """
                This removes their key slot. People keep their words, and enough of them still open every copy of the file \
                that was made before: backups, and the copies that restore keeps. hsip vault rekey ends that for all that comes \
                later.

                  hsip vault shares end
                  hsip vault shares end 4
                """
        )

        @Argument(help: "The number of the slot, where shares were made more than once.")
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
            await context.tellGiven(removed: sharing.label, try context.vault(over: store).ownService)
            try SlotGroup.adviseRekey(place, store, context)
            try SlotGroup.show(found, "ended", context)
            try context.output.succeed([
                "sharing": .sharing(sharing, found),
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

extension JSONValue {
    /// Shares that were made (Schemas/cli/slot.schema.json).
    static func sharing(_ sharing: Sharing, _ slot: SlotInfo) -> JSONValue {
        [
            "slot": .slot(slot), "threshold": .integer(Int64(sharing.threshold)),
            "count": .integer(Int64(sharing.count)),
        ]
    }
}
